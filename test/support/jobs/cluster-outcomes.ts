import { createCluster, editConfig, submit } from '../app/clusters.js';
import { waitFor } from '../wait-for.js';
import {
  APP,
  changed,
  created,
  done,
  failed,
  frozen,
  held,
  inKubeadm,
  made,
  OTHER,
  post,
  pulling,
  step,
  STEPS,
  unready,
  UNUSED,
  withoutImage,
  type Case,
  type Place,
  type Reaching,
} from './outcome-cases.js';

const otherImage = async (place: Place): Promise<void> => {
  await made(place);
  await editConfig(place.server.client, place.name, (text) => text.replaceAll('v1.34.4', UNUSED));
};

/** Both ways to recreate a cluster. */
function recreations(kind: 'recreate' | 'start'): Case[] {
  return [
    { kind, ends: 'cancelled', arrange: otherImage, ...pulling(post(kind)) },
    { kind, ends: 'failed', arrange: otherImage, ...withoutImage(post(kind)) },
    {
      ...{ kind, phase: 'removing-old-nodes', ends: 'cancelled', arrange: changed },
      begin: (place) => {
        for (const node of ['worker', 'control-plane']) place.docker.undeletable.add(`${place.name}-${node}`);
        return post(kind)(place);
      },
      reach: step('removing-old-nodes'),
      after: ({ docker }) => docker.undeletable.clear(),
    },
    ...STEPS.map((at): Case => ({ kind, ends: 'cancelled', arrange: changed, ...frozen(at, post(kind)) })),
    { kind, ends: 'failed', arrange: changed, ...inKubeadm(post(kind)) },
    { kind, ends: 'cancelled', arrange: changed, ...unready(post(kind)) },
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
  { kind: 'create', ends: 'cancelled', ...pulling(created({ node_image_tag: UNUSED })) },
  { kind: 'create', ends: 'failed', ...withoutImage(created({ node_image_tag: UNUSED })) },
  ...STEPS.map((at): Case => ({ kind: 'create', ends: 'cancelled', ...frozen(at, created()) })),
  { kind: 'create', ends: 'failed', ...inKubeadm(created()) },
  { kind: 'create', ends: 'failed', ...inKubeadm(created({ keep_on_failure: true })), phase: 'kept' },
  { kind: 'create', ends: 'cancelled', ...unready(created()) },
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
  ...(['cancelled', 'failed'] as const).map((ends): Case => ({
    ...{ kind: 'delete', phase: 'removing-nodes', ends, arrange: made },
    begin: (place) => {
      place.docker.undeletable.add(`${place.name}-control-plane`);
      return deletion(place);
    },
    reach: (place) =>
      waitFor(() => place.docker.world.nodesOf(place.name).length === 1, 'the removal of the worker'),
    after: ({ docker }) => ends === 'cancelled' && docker.undeletable.clear(),
  })),
  { kind: 'start', ends: 'cancelled', arrange: stopped, ...held('start', 'start') },
  {
    ...{ kind: 'start', phase: 'starting-nodes', ends: 'failed', arrange: stopped },
    begin: (place) => {
      place.docker.takenPorts.add(`${place.name}-control-plane`);
      return post('start')(place);
    },
    reach: done,
  },
  { kind: 'stop', ends: 'cancelled', arrange: made, ...held('stop?t=30', 'stop') },
  { kind: 'stop', ends: 'failed', arrange: made, ...vanish(held('stop?t=30', 'stop')) },
  { kind: 'stop', ends: 'succeeded', phase: 'all', arrange: made, begin: post('stop'), reach: done },
  { kind: 'pause', ends: 'cancelled', arrange: made, ...held('pause', 'pause') },
  { kind: 'pause', ends: 'failed', arrange: made, ...vanish(held('pause', 'pause')) },
  { kind: 'unpause', ends: 'cancelled', arrange: paused, ...held('unpause', 'unpause') },
  { kind: 'unpause', ends: 'failed', arrange: paused, ...vanish(held('unpause', 'unpause')) },
  {
    ...{ kind: 'load-images', phase: 'saving', ends: 'cancelled', arrange: made },
    begin: (place) => {
      place.docker.images.stalls = true;
      return load([APP])(place);
    },
    reach: step('saving-1'),
    after: ({ docker }) => (docker.images.stalls = false),
  },
  {
    ...{ kind: 'load-images', phase: 'loading', ends: 'cancelled', arrange: made },
    begin: (place) => {
      place.server.machine.kind.stallsLoads = true;
      return load([APP])(place);
    },
    reach: step('loading-1'),
    after: ({ server }) => (server.machine.kind.stallsLoads = false),
  },
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
  {
    ...{ kind: 'prune', phase: 'images', ends: 'cancelled' },
    arrange: async (place) => {
      await made(place);
      place.docker.addImage(`docker.io/kindest/node:${UNUSED}`);
    },
    begin: async ({ server, docker }) => {
      const [usage] = await server.client.get<{ node_images: { id: string }[] }[]>('/api/v1/images/usage');
      docker.hold(UNUSED);
      const images = usage?.node_images.map(({ id }) => id);
      return await submit(server.client, '/api/v1/images/prune', { runtime: 'docker', images });
    },
    reach: ({ docker }) => waitFor(() => docker.isHolding(UNUSED), 'the removal'),
    after: ({ docker }) => docker.release(UNUSED),
  },
];
