import { describe, expect, it, jest } from '@jest/globals';
import type { ClusterImagesDto } from '../../backend/src/modules/images/index.js';
import { JOB_KINDS, type JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import { jobEnded } from '../support/app/clusters.js';
import type { WorldEvent } from '../support/engine/engine-world.js';
import { INSIDE } from '../support/jobs/addon-outcomes.js';
import { CASES } from '../support/jobs/cluster-outcomes.js';
import { APP, OTHER, type Case, type Place } from '../support/jobs/outcome-cases.js';
import { untrue, type Course, type Remains } from '../support/jobs/outcome-claims.js';
import { inMarket } from '../support/server/market.js';
import { withServer } from '../support/server/scripted-server.js';

/** The labels of the page, which need the tag of its translations. */
function dialogText(): (job: JobWithLogDto) => string {
  const tag = (parts: TemplateStringsArray, ...values: unknown[]): string =>
    parts
      .map((part, index) =>
        index === 0 ? part : `${String(values[index - 1])}${part.replace(/^:\w+:/, '')}`,
      )
      .join('');
  Object.assign(globalThis, { $localize: tag });
  const labels = '../../frontend/src/shared/ui/job-labels';
  return jest.requireActual<{ ifCanceled: (job: JobWithLogDto) => string }>(labels).ifCanceled;
}

async function remainsOf({ server, docker, name }: Place): Promise<Remains> {
  const { client, machine } = server;
  const path = `/api/v1/clusters/${name}`;
  const nodes = docker.world.nodesOf(name);
  const [cluster, config] = await Promise.all([
    client.send('GET', path),
    client.send('GET', `${path}/config`),
  ]);
  const { body } = await client.send('GET', `${path}/images`);
  const held = (body as Partial<ClusterImagesDto> | null)?.images ?? [];
  const node = await client.send('GET', `${path}/resources/core/v1/nodes/${name}-worker`);
  return {
    nodes: nodes.map(({ id, name: node, state, volume }) => ({ id, name: node, state, volume })),
    volumes: nodes.map(({ volume }) => volume).filter((volume) => docker.world.volumes.has(volume)),
    images: [...docker.world.images],
    recorded: cluster.status === 200,
    hasConfig: config.status === 200,
    loaded: Object.fromEntries(held.map(({ references, nodes: on }) => [references[0] ?? '', on.length])),
    revisions: machine.helm.statesOf('market', 'shop'),
    cordoned: node.text.includes('unschedulable: true'),
  };
}

/** Runs one case. @returns what its texts say and is not so. */
async function run({ ends, arrange, begin, reach, after }: Case, place: Place): Promise<string[]> {
  const { client } = place.server;
  await arrange?.(place);
  const before = await remainsOf(place);
  const id = await begin(place);
  await reach?.(place, id);
  const during = await remainsOf(place);
  // An engine completes requests of a killed program.
  const late = ({ action, node }: WorldEvent): void => {
    if (action === 'create' && node.cluster === place.name) during.nodes.push(node);
  };
  place.docker.world.events.on('event', late);
  let promised = '';
  if (ends === 'cancelled') {
    promised = dialogText()(await client.get<JobWithLogDto>(`/api/v1/jobs/${id}`));
    await client.send('POST', `/api/v1/jobs/${id}/cancel`);
  }
  after?.(place);
  const job = await jobEnded(client, id);
  place.docker.world.events.off('event', late);
  place.server.machine.kind.thaw();
  const course: Course = { before, during, after: await remainsOf(place) };
  const message = job.message ?? '';
  const { recorded, nodes } = course.after;
  return [
    ...(recorded && nodes.length === 0 && !/config is kept|Delete it again/.test(message)
      ? [`does not say that the cluster is still known: ${message}`]
      : []),
    ...(job.state === ends ? [] : [`ended ${job.state}: ${message}`]),
    ...untrue(message, course).map((problem) => `message: ${problem} in: ${message}`),
    ...(promised === ''
      ? []
      : untrue(promised, course).map((problem) => `dialog: ${problem} in: ${promised}`)),
  ];
}

describe('the texts of a job', () => {
  it('have a case for each kind', () => {
    const kinds = [...CASES, ...INSIDE].map(({ kind }) => kind);
    expect(JOB_KINDS.filter((kind) => !kinds.includes(kind))).toEqual([]);
  });

  it.each([...new Set(CASES.map(({ kind }) => kind))])(
    'of kind %s say what remains, in every phase',
    async (kind) => {
      await withServer(
        async (server) => {
          const docker = server.machine.engine('docker');
          for (const image of [APP, OTHER]) docker.world.addBuiltImage(image);
          const wrong: string[] = [];
          for (const [index, one] of CASES.filter((row) => row.kind === kind).entries()) {
            const found = await run(one, { server, docker, name: `c${index}` });
            wrong.push(...found.map((problem) => `${one.phase}, ${one.ends}: ${problem}`));
          }
          expect(wrong).toEqual([]);
        },
        { helm: '4.3.1' },
      );
    },
  );

  it('of addons and drains say what remains, in every phase', async () => {
    await inMarket('4.3.1', async ({ server }) => {
      const wrong: string[] = [];
      for (const one of INSIDE) {
        const found = await run(one, { server, docker: server.machine.engine('docker'), name: 'c' });
        wrong.push(...found.map((problem) => `${one.kind}, ${one.phase}, ${one.ends}: ${problem}`));
      }
      expect(wrong).toEqual([]);
    });
  });
});
