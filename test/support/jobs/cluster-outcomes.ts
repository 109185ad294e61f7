import type { Server } from 'node:net';
import { createCluster, editConfig, submit } from '../app/clusters.js';
import { listenOn } from '../free-port.js';
import { dockerArchive } from '../images/archives.js';
import { waitFor } from '../wait-for.js';
import {
  APP,
  changed,
  checking,
  created,
  cut,
  done,
  ENDINGS,
  failed,
  frozen,
  held,
  inKubeadm,
  made,
  OTHER,
  post,
  pulling,
  queued,
  step,
  STEPS,
  unready,
  unreadyNodes,
  UNUSED,
  withoutImage,
  type Case,
  type Ending,
  type Place,
  type Reaching,
} from './outcome-cases.js';

const otherImage = async (place: Place): Promise<void> => {
  await made(place);
  await editConfig(place.server.client, place.name, (text) => text.replaceAll('v1.34.4', UNUSED));
};

/** In the middle of kind's steps. Its stage is undone as a whole. */
const inKind = (kind: Case['kind'], begin: Case['begin'], arrange?: Case['arrange']): Case[] =>
  STEPS.flatMap((at) => {
    const row = { kind, ...(arrange ? { arrange } : {}), ...frozen(at, begin) };
    return at === 'starting-control-plane' ? cut(row) : [{ ...row, ends: 'cancelled' }];
  });
/** A list of all containers, which the preflight checks compare with the names of the nodes. */
const checkingNames = (begin: Case['begin']): Reaching => checking(begin, () => 'filters={}');
/** Another program makes a container with the name of a new node. */
const intruded = (begin: Case['begin'], node: string): Reaching & Pick<Case, 'ends'> => ({
  ...{ phase: 'checks', ends: 'failed', begin, reach: done },
  meanwhile: ({ docker: { world }, name: cluster }) => {
    const name = `${cluster}-${node}`;
    const image = 'docker.io/kindest/node:v1.34.4';
    world.addNode({ name, cluster: 'other', role: 'worker', image, port: null, volume: '' });
  },
});

/** Both ways to recreate a cluster. */
function recreations(kind: 'recreate' | 'start'): Case[] {
  const removal: Reaching = {
    phase: 'removing-old-nodes',
    begin: (place) => {
      for (const node of ['worker', 'control-plane']) place.docker.undeletable.add(`${place.name}-${node}`);
      return post(kind)(place);
    },
    reach: step('removing-old-nodes'),
    after: ({ docker }) => docker.undeletable.clear(),
  };
  return [
    ...queued({ kind, arrange: changed, begin: post(kind) }),
    ...cut({ kind, arrange: changed, ...checkingNames(post(kind)) }),
    { kind, arrange: changed, ...intruded(post(kind), 'worker2') },
    ...cut({ kind, arrange: otherImage, ...pulling(post(kind)) }),
    { kind, ends: 'failed', arrange: otherImage, ...withoutImage(post(kind)) },
    ...cut({ kind, arrange: changed, ...removal }),
    { kind, ends: 'failed', arrange: changed, ...removal, reach: done },
    ...inKind(kind, post(kind), changed),
    { kind, ends: 'failed', arrange: changed, ...inKubeadm(post(kind)) },
    ...cut({ kind, arrange: changed, ...unready(post(kind)) }),
  ];
}

const deletion: Case['begin'] = async ({ server, name }) => {
  const { body } = await server.client.send('DELETE', `/api/v1/clusters/${name}?wait=false`);
  return (body as { job_id: number }).job_id;
};
const load = (images: string[]): Case['begin'] => post('images/load', { images });
const stopped = async (place: Place): Promise<void> => {
  await made(place);
  await done(place, await post('stop')(place));
};
const paused = async (place: Place): Promise<void> => {
  await made(place);
  await done(place, await post('pause')(place));
};
const workerInspection = ({ docker, name }: Place): string =>
  `${docker.world.find(`${name}-worker`)?.id ?? ''}/json`;
const upload: Case['begin'] = async ({ server, name }) => {
  const { body } = await server.client.send('POST', `/api/v1/clusters/${name}/images/upload`, {
    text: dockerArchive([APP], 2_000_000).bytes,
    headers: { 'content-type': 'application/x-tar' },
  });
  return (body as { job_id: number }).job_id;
};
/** Another program listens on the port of the API server. */
function withTakenPort(): Pick<Case, 'meanwhile' | 'after'> {
  let other: Server | undefined;
  return {
    meanwhile: async ({ docker, name }) => {
      other = await listenOn(docker.world.find(`${name}-control-plane`)?.port ?? 0);
    },
    after: () => other?.close(),
  };
}

/** An image and a volume of no cluster. */
const unused = async (place: Place): Promise<void> => {
  await made(place);
  place.docker.addImage(`docker.io/kindest/node:${UNUSED}`);
  const { volumes } = place.docker.world;
  const volume = place.docker.world.addVolume('gone-worker');
  volumes.set(volume, { labels: { 'gone-worker': 'true' }, createdAt: '2026-11-01T09:40:56Z' });
};
const prune: Case['begin'] = async ({ server }) => {
  const [usage] =
    await server.client.get<{ node_images: { id: string }[]; volumes: { name: string }[] }[]>(
      '/api/v1/images/usage',
    );
  return await submit(server.client, '/api/v1/images/prune', {
    runtime: 'docker',
    images: usage?.node_images.map(({ id }) => id),
    volumes: usage?.volumes.map(({ name }) => name),
  });
};
/** Holds the removal of an object, or lets it fail. */
function removing(ends: Ending, object: (place: Place) => string): Omit<Reaching, 'phase'> {
  return {
    begin: (place) => {
      if (ends === 'failed') place.docker.undeletable.add(object(place));
      else place.docker.hold(object(place));
      return prune(place);
    },
    reach: (place, id) =>
      ends === 'failed'
        ? done(place, id)
        : waitFor(() => place.docker.isHolding(object(place)), 'the removal'),
    after: (place) => {
      place.docker.undeletable.clear();
      place.docker.release(object(place));
    },
  };
}
/** Removes a node while a job wants to use it. */
const vanish = (row: Reaching): typeof row => ({
  ...row,
  after: (place) => {
    const node = place.docker.world.find(`${place.name}-worker`);
    if (node) place.docker.world.remove(node);
    row.after?.(place);
  },
});

/** Each kind of job on a cluster, in each phase. */
export const CASES: readonly Case[] = [
  { kind: 'create', ends: 'succeeded', phase: 'all', begin: created(), reach: done },
  ...queued({ kind: 'create', begin: created() }),
  ...cut({ kind: 'create', ...checkingNames(created()) }),
  { kind: 'create', ...intruded(created(), 'worker') },
  ...cut({ kind: 'create', ...pulling(created({ node_image_tag: UNUSED })) }),
  { kind: 'create', ends: 'failed', ...withoutImage(created({ node_image_tag: UNUSED })) },
  ...inKind('create', created()),
  { kind: 'create', ends: 'failed', ...inKubeadm(created()) },
  { kind: 'create', ends: 'failed', ...inKubeadm(created({ keep_on_failure: true })), phase: 'kept' },
  ...cut({ kind: 'create', ...unready(created()) }),
  ...recreations('recreate'),
  ...recreations('start'),
  {
    kind: 'recreate',
    ends: 'cancelled',
    arrange: failed,
    ...pulling(post('recreate')),
    phase: 'retry, node-image',
  },
  {
    ...{ kind: 'recreate', ends: 'cancelled', arrange: failed },
    ...frozen('starting-control-plane', post('recreate')),
    phase: 'retry, starting-control-plane',
  },
  {
    kind: 'recreate',
    ends: 'failed',
    arrange: failed,
    ...inKubeadm(post('recreate')),
    phase: 'retry, kubeadm',
  },
  {
    ...{ kind: 'clone', ends: 'cancelled' },
    arrange: ({ server }) => createCluster(server.client, 'source', { workers: 1 }),
    ...frozen('installing-cni', ({ server, name }) =>
      submit(server.client, '/api/v1/clusters/source/clone', { name }),
    ),
  },
  ...queued({ kind: 'delete', arrange: made, begin: deletion }),
  ...ENDINGS.map((ends): Case => ({
    ...{ kind: 'delete', phase: 'removing-nodes', ends, arrange: made },
    begin: (place) => {
      place.docker.undeletable.add(`${place.name}-control-plane`);
      return deletion(place);
    },
    reach: (place) =>
      waitFor(() => place.docker.world.nodesOf(place.name).length === 1, 'the removal of the worker'),
    after: ({ docker }) => ends !== 'failed' && docker.undeletable.clear(),
  })),
  ...queued({ kind: 'start', arrange: stopped, begin: post('start') }),
  ...cut({ kind: 'start', arrange: stopped, ...checking(post('start'), workerInspection) }),
  {
    ...{ kind: 'start', phase: 'checks', ends: 'failed', arrange: stopped, begin: post('start') },
    reach: done,
    ...withTakenPort(),
  },
  ...cut({ kind: 'start', arrange: stopped, ...held('start', 'start') }),
  ...cut({ kind: 'start', arrange: stopped, ...unreadyNodes('start') }),
  {
    ...{ kind: 'start', phase: 'starting-nodes', ends: 'failed', arrange: stopped },
    begin: (place) => {
      place.docker.takenPorts.add(`${place.name}-control-plane`);
      return post('start')(place);
    },
    reach: done,
  },
  ...queued({ kind: 'stop', arrange: made, begin: post('stop') }),
  ...cut({ kind: 'stop', arrange: made, ...held('stop?t=30', 'stop') }),
  { kind: 'stop', ends: 'failed', arrange: made, ...vanish(held('stop?t=30', 'stop')) },
  { kind: 'stop', ends: 'succeeded', phase: 'all', arrange: made, begin: post('stop'), reach: done },
  ...queued({ kind: 'pause', arrange: made, begin: post('pause') }),
  ...cut({ kind: 'pause', arrange: made, ...held('pause', 'pause') }),
  { kind: 'pause', ends: 'failed', arrange: made, ...vanish(held('pause', 'pause')) },
  ...queued({ kind: 'unpause', arrange: paused, begin: post('unpause') }),
  ...cut({ kind: 'unpause', arrange: paused, ...held('unpause', 'unpause') }),
  ...cut({ kind: 'unpause', arrange: paused, ...unreadyNodes('unpause') }),
  { kind: 'unpause', ends: 'failed', arrange: paused, ...vanish(held('unpause', 'unpause')) },
  ...queued({ kind: 'load-images', arrange: made, begin: load([APP]) }),
  ...cut({ kind: 'load-images', arrange: made, ...checking(load([APP]), () => 'GET /images/json') }),
  {
    ...{ kind: 'load-images', phase: 'checks', ends: 'failed', arrange: made, begin: load([APP]) },
    meanwhile: ({ docker, name }) => docker.world.kill(`${name}-worker`),
    reach: done,
  },
  ...cut({
    ...{ kind: 'load-images', phase: 'saving', arrange: made },
    begin: (place) => {
      place.docker.images.stalls = true;
      return load([APP])(place);
    },
    reach: step('saving-1'),
    after: ({ docker }) => (docker.images.stalls = false),
  }),
  {
    ...{ kind: 'load-images', phase: 'saving', ends: 'failed', arrange: made, begin: load([APP]) },
    meanwhile: ({ docker }) => docker.world.built.delete(APP),
    reach: done,
    after: ({ docker }) => docker.world.addBuiltImage(APP),
  },
  ...[load([APP]), upload].flatMap((begin) =>
    cut({
      ...{ kind: 'load-images', phase: 'loading', arrange: made },
      begin: (place) => {
        place.server.machine.kind.stallsLoads = true;
        return begin(place);
      },
      reach: (place) =>
        waitFor(() => place.server.machine.kind.processes.at(-1)?.call.args[0] === 'load', 'the load'),
      after: ({ server }) => (server.machine.kind.stallsLoads = false),
    }),
  ),
  ...(['cancelled', 'failed'] as const).map((ends): Case => ({
    ...{ kind: 'load-images', phase: 'saving the second', ends, arrange: made },
    begin: (place) => {
      place.docker.hold(`${OTHER}/get`);
      return load([APP, OTHER])(place);
    },
    reach: step('saving-2'),
    after: ({ docker, name }) => {
      if (ends === 'failed') docker.world.kill(`${name}-worker`);
      docker.release(`${OTHER}/get`);
    },
  })),
  ...queued({ kind: 'prune', arrange: unused, begin: prune }),
  ...ENDINGS.map((ends): Case => ({
    ...{ kind: 'prune', phase: 'images', ends, arrange: unused },
    ...removing(ends, () => `kindest/node:${UNUSED}`),
  })),
  ...ENDINGS.map((ends): Case => ({
    ...{ kind: 'prune', phase: 'volumes', ends, arrange: unused },
    ...removing(ends, ({ docker }) => [...docker.world.volumes.keys()].at(-1) ?? ''),
  })),
];
