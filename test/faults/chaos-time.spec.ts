import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/index.js';
import type { JobDto, JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import type { ProblemDto } from '../../backend/src/modules/problems/problem.dto.js';
import { createCluster, jobEnded, journalOf, requestCluster } from '../support/app/clusters.js';
import { EventSocket } from '../support/app/event-socket.js';
import { Chaos } from '../support/server/chaos-bench.js';
import { waitFor } from '../support/wait-for.js';

const HOUR_MS = 3_600_000;
const SUSPENDED_MS = 20_000;

/** A creation that is in its middle when `work` runs. @returns its end */
async function duringCreation(
  { server, client }: Chaos,
  name: string,
  work: () => void | Promise<void>,
): Promise<JobWithLogDto> {
  const { kind } = server.machine;
  kind.freezeAt('preparing-nodes');
  const id = await requestCluster(client, name);
  await waitFor(() => kind.hasReached('preparing-nodes'), 'the step');
  await work();
  let percent = 0;
  const see = ({ progress_percent, seconds_left }: JobDto): void => {
    expect(progress_percent).toBeGreaterThanOrEqual(percent);
    percent = progress_percent;
    expect(seconds_left ?? 0).toBeGreaterThanOrEqual(0);
    expect(seconds_left ?? 0).toBeLessThan(600);
  };
  see(await client.get<JobDto>(`/api/v1/jobs/${id}`));
  kind.thaw();
  return await jobEnded(client, id, undefined, see);
}

async function problemsOf({ client }: Chaos): Promise<string[]> {
  return (await client.get<ProblemDto[]>('/api/v1/clusters/c/problems')).map(({ name }) => name);
}

describe('a clock that jumps by an hour', () => {
  it('ahead and back leaves jobs, journal, problems, figures and logs right', async () => {
    await Chaos.run(async (chaos) => {
      const { server, client } = chaos;
      const { world } = server.machine.engine('docker');
      await waitFor(async () => (await problemsOf(chaos)).includes('mailer'), 'a problem');
      const stats = await EventSocket.open(client.port);
      stats.send({ type: 'subscribe', topics: ['stats'] });
      const sampled = async (shift: number): Promise<void> => {
        const from = Date.now() + shift;
        await stats.next(
          'stats',
          ({ stats: { sampled_at: at } }) => Math.abs(Date.parse(at) - from) < 60_000,
        );
      };

      for (const [name, shift] of [
        ['ahead', HOUR_MS],
        ['back', -HOUR_MS],
      ] as const) {
        expect(await duringCreation(chaos, name, () => chaos.shiftClock(shift))).toMatchObject({
          state: 'succeeded',
        });
        const [entry] = await journalOf(client, `?cluster=${name}&kind=create`);
        expect(entry?.outcome).toBe('succeeded');
        expect(entry?.duration_ms).toBeGreaterThan(0);
        expect(entry?.duration_ms).toBeLessThan(600_000);
        await sampled(shift);
        await chaos.expectLines();
      }

      // Times from an hour ahead do not delay anything now.
      await waitFor(async () => (await chaos.rate()) > 10, 'the rate of the log');
      const goOn = chaos.pause();
      await waitFor(async () => (await chaos.rate()) === 0, 'the rate of a silent log');
      goOn();
      const path = '/api/v1/clusters/c/resources/apps/v1/deployments/mailer?namespace=shop';
      expect((await client.send('DELETE', path)).status).toBe(200);
      await waitFor(
        async () => !(await problemsOf(chaos)).includes('mailer'),
        'the end of the problem',
        15_000,
      );
      chaos.shiftClock(0);
      world.kill('ahead-control-plane');
      await client.until<ClusterDto>('/api/v1/clusters/ahead', ({ state }) => state === 'stopped');
      const isNoted = async (): Promise<boolean> =>
        (await journalOf(client, '?cluster=ahead&kind=node-stopped')).length === 1;
      await waitFor(isNoted, 'the entry of the journal');
      await createCluster(client, 'now');
      stats.close();
    });
  });
});

describe('a suspended process', () => {
  it('continues after 20 s with its job, its sockets, the changes meanwhile and all lines', async () => {
    await Chaos.run(async (chaos) => {
      const { server, client } = chaos;
      const { world } = server.machine.engine('docker');
      const socket = await EventSocket.open(client.port);
      socket.send({ type: 'subscribe', topics: ['clusters'] });
      await socket.settled();
      const job = await duringCreation(chaos, 'shop', async () => {
        server.process.signal('SIGSTOP');
        world.kill('c-worker');
        await delay(SUSPENDED_MS);
        socket.messages.length = 0;
        server.process.signal('SIGCONT');
      });
      expect(job.state).toBe('succeeded');
      await socket.next('clusters', ({ clusters }) =>
        clusters.some(({ name, state }) => name === 'c' && state === 'degraded'),
      );
      const worker = world.find('c-worker');
      if (!worker) throw new Error('there is no worker');
      world.start(worker);
      await chaos.expectSettled(job.id);
      socket.close();
    });
  });
});
