import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { JobDto } from '../../backend/src/modules/jobs/job.dto.js';
import { CliProcess } from '../support/server/cli-process.js';
import { temporaryFolder } from '../support/server/server-process.js';
import { install, type Installation } from '../support/server/installation.js';

let folder: string;
let remove: () => Promise<void>;
/** A dashboard whose jobs last long enough to cancel them. */
let slow: Installation;

beforeAll(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  slow = await install(folder, 'slow', { APP_DEMO_SPEED: '2' }, ['dashboard']);
});

afterAll(async () => {
  await slow.server.stop();
  await remove();
});

describe('a command that waits for its job', () => {
  const clusters = async (): Promise<string[]> =>
    (await slow.server.client.get<ClusterDto[]>('/api/v1/clusters')).map(({ name }) => name);
  const stateOf = async (name: string): Promise<string | undefined> =>
    (await slow.server.client.get<JobDto[]>('/api/v1/jobs')).find(({ cluster }) => cluster === name)?.state;

  it('cancels it on SIGINT without a terminal', async () => {
    const command = CliProcess.start(slow.environment, 'create', 'piped');
    await command.until('Preparing nodes');
    command.signal('SIGINT');
    expect(await command.result()).toMatchObject({
      status: 130,
      stdout: '',
      stderr: expect.stringMatching(/Canceling job \d+\..*\nJob \d+ \(Create piped\): Canceled at .+\n$/s),
    });
    expect(await clusters()).toEqual([]);
  });

  it('asks on a terminal, and detaches or cancels', async () => {
    const command = CliProcess.startOnTerminal(slow.environment, 'create', 'asked');
    await command.until('Preparing nodes');
    expect(command.stdout).toMatch(/\r\[#*\.+\] +\d+ % {2}Preparing nodes/);
    command.type('\u0003');
    await command.until('Cancel job');
    command.type('n\n');
    const { status, stdout } = await command.end();
    expect(status).toBe(130);
    expect(stdout).toMatch(/Job (\d+) continues\. Wait for it with: slipway jobs \1 --wait/);
    expect(await stateOf('asked')).toBe('running');
    const [, id = ''] = /Job (\d+) continues/.exec(stdout) ?? [];
    const waiting = CliProcess.startOnTerminal(slow.environment, 'jobs', id, '--wait');
    await waiting.until('%');
    waiting.type('\u0003');
    await waiting.until('Cancel job');
    waiting.type('y\n');
    await waiting.until('(Create asked): Canceled at');
    expect((await waiting.end()).status).toBe(130);
    expect(await stateOf('asked')).toBe('cancelled');
  });
});
