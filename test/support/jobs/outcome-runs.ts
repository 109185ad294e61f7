import { describe, expect, it, jest } from '@jest/globals';
import type { ClusterImagesDto } from '../../../backend/src/modules/images/index.js';
import type { JobKind, JobWithLogDto } from '../../../backend/src/modules/jobs/job.dto.js';
import { jobEnded, requestCluster, stepRuns } from '../app/clusters.js';
import type { WorldEvent } from '../engine/engine-world.js';
import { INSIDE } from './addon-outcomes.js';
import { CASES } from './cluster-outcomes.js';
import { APP, OTHER, type Case, type Place } from './outcome-cases.js';
import { untrue, type Course, type Remains } from './outcome-claims.js';
import { OutcomePhases } from './outcome-phases.js';
import { inMarket } from '../server/market.js';
import { withServer } from '../server/scripted-server.js';

/** Each of some twenty cases takes a few seconds on a busy machine. */
const TIMEOUT_MS = 600_000;

/** The labels of the page, which need the tag of its translations. */
function dialogText(): (job: JobWithLogDto) => string {
  const tag = (parts: TemplateStringsArray, ...values: unknown[]): string =>
    parts
      .map((part, index) =>
        index === 0 ? part : `${String(values[index - 1])}${part.replace(/^:\w+:/, '')}`,
      )
      .join('');
  Object.assign(globalThis, { $localize: tag });
  const labels = '../../../frontend/src/shared/ui/job-labels';
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
    engineVolumes: docker.world.volumes.size,
    images: [...docker.world.images],
    recorded: cluster.status === 200,
    hasConfig: config.status === 200,
    loaded: Object.fromEntries(held.map(({ references, nodes: on }) => [references[0] ?? '', on.length])),
    revisions: machine.helm.statesOf('market', 'shop'),
    cordoned: node.text.includes('unschedulable: true'),
  };
}

let blockers = 0;

/** Occupies the only place for running jobs. @returns the id of the job that does */
async function block({ server: { client }, docker }: Place): Promise<number> {
  docker.pull.messageMs = 1000;
  blockers += 1;
  const id = await requestCluster(client, `blocker${blockers}`, { node_image_tag: 'v1.32.1' });
  await stepRuns(client, id, 'node-image');
  return id;
}

async function unblock({ server: { client }, docker }: Place, id: number): Promise<void> {
  await client.send('POST', `/api/v1/jobs/${id}/cancel`);
  await jobEnded(client, id);
  docker.pull.messageMs = 0;
}

/** Submits the job of a case and brings it into its phase. @returns its id, and the objects before it */
async function bring(row: Case, place: Place): Promise<{ id: number; before: Remains; blocker?: number }> {
  const { arrange, begin, meanwhile, reach, phase } = row;
  await arrange?.(place);
  if (phase !== 'queued' && meanwhile === undefined) {
    const before = await remainsOf(place);
    const id = await begin(place);
    await reach?.(place, id);
    return { id, before };
  }
  const blocker = await block(place);
  const before = await remainsOf(place);
  const id = await begin(place);
  if (phase === 'queued') return { id, before, blocker };
  await meanwhile?.(place);
  await unblock(place, blocker);
  await reach?.(place, id);
  return { id, before };
}

/** Runs one case. @returns the false claims of its texts. */
async function run(row: Case, place: Place, phases: OutcomePhases): Promise<string[]> {
  const { ends, after } = row;
  const { server } = place;
  const { id, before, blocker } = await bring(row, place);
  const during = await remainsOf(place);
  // An engine completes requests of a killed program.
  const late = ({ action, node }: WorldEvent): void => {
    if (action === 'create' && node.cluster === place.name) during.nodes.push(node);
  };
  place.docker.world.events.on('event', late);
  let promised = '';
  if (ends === 'cancelled') {
    promised = dialogText()(await server.client.get<JobWithLogDto>(`/api/v1/jobs/${id}`));
    await server.client.send('POST', `/api/v1/jobs/${id}/cancel`);
  }
  if (ends === 'interrupted') await server.process.kill();
  await after?.(place);
  if (ends === 'interrupted') await server.startAgain();
  const job = await jobEnded(server.client, id);
  place.docker.world.events.off('event', late);
  server.machine.kind.thaw();
  if (blocker !== undefined) await unblock(place, blocker);
  phases.add(job);
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
  ].map((problem) => `${row.phase}, ${ends}: ${problem}`);
}

/** Runs the cases of one kind. @returns the false claims of their texts, and phases without a case */
async function runAll(
  cases: readonly Case[],
  kind: JobKind,
  place: (index: number) => Place,
): Promise<string[]> {
  const phases = new OutcomePhases(kind);
  const wrong: string[] = [];
  for (const [index, row] of cases.filter((one) => one.kind === kind).entries()) {
    wrong.push(
      ...(await run(row, place(index), phases).catch((error: unknown) => {
        throw new Error(`${row.phase}, ${row.ends}: ${String(error)}; before: ${wrong.join('; ')}`, {
          cause: error,
        });
      })),
    );
  }
  return [...wrong, ...phases.missing()];
}

export const kindsOf = (cases: readonly Case[]): JobKind[] => [...new Set(cases.map(({ kind }) => kind))];
/** Kinds whose jobs make nodes: they have the most phases. */
export const MADE_NEW: readonly JobKind[] = ['create', 'clone', 'recreate', 'start'];
/** So that a job can be queued. */
const ONE_JOB = { APP_JOBS: '1' };

/** The texts of jobs of these kinds against a scripted engine. They take minutes, hence several specs. */
export function describeClusterJobs(kinds: readonly JobKind[]): void {
  describe('the texts of a job', () => {
    it.each(kinds)(
      'of kind %s say what remains, in every phase',
      async (kind) => {
        await withServer(
          async (server) => {
            const docker = server.machine.engine('docker');
            for (const image of [APP, OTHER]) docker.world.addBuiltImage(image);
            const place = (index: number): Place => ({ server, docker, name: `c${index}` });
            expect(await runAll(CASES, kind, place)).toEqual([]);
          },
          { helm: '4.3.1' },
          ONE_JOB,
        );
      },
      TIMEOUT_MS,
    );
  });
}

/** The same for jobs inside a cluster. */
export function describeAddonJobs(): void {
  describe('the texts of a job', () => {
    it.each(kindsOf(INSIDE))(
      'of kind %s say what remains, in every phase',
      async (kind) => {
        await inMarket(
          '4.3.1',
          async ({ server }) => {
            const place = { server, docker: server.machine.engine('docker'), name: 'c' };
            expect(await runAll(INSIDE, kind, () => place)).toEqual([]);
          },
          ONE_JOB,
        );
      },
      TIMEOUT_MS,
    );
  });
}
