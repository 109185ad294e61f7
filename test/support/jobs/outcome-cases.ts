import { expect } from '@jest/globals';
import type { JobKind } from '../../../backend/src/modules/jobs/job.dto.js';
import {
  createCluster,
  editConfig,
  jobEnded,
  requestCluster,
  stepRuns,
  submit,
  withWorker,
} from '../app/clusters.js';
import type { ScriptedEngine } from '../engine/scripted-engine.js';
import type { ScriptedServer } from '../server/scripted-server.js';
import { waitFor } from '../wait-for.js';

export const APP = 'docker.io/shop/web:1.4.0';
export const OTHER = 'docker.io/shop/api:1.0.0';
export const UNUSED = 'v1.33.1';
export const STEPS = [
  'ensuring-node-image',
  'preparing-nodes',
  'writing-configuration',
  'starting-control-plane',
  'installing-cni',
  'installing-storage-class',
  'joining-workers',
] as const;

/** The machine, and the cluster of one case. */
export interface Place {
  server: ScriptedServer;
  docker: ScriptedEngine;
  name: string;
}

export const ENDINGS = ['failed', 'cancelled', 'interrupted'] as const;
export type Ending = 'succeeded' | (typeof ENDINGS)[number];

export interface Case {
  kind: JobKind;
  /** The phase in which the job ends. */
  phase: string;
  ends: Ending;
  /** Creates the objects of the job. */
  arrange?: (place: Place) => Promise<unknown>;
  /** Submits the job. @returns its id */
  begin: (place: Place) => Promise<number>;
  /** Changes something while the job is queued. The job starts after that. */
  meanwhile?: (place: Place) => unknown;
  /** Reaches the phase. Then the job is canceled, or the server is killed. */
  reach?: (place: Place, id: number) => Promise<unknown>;
  /** Releases held requests. */
  after?: (place: Place) => unknown;
}

/** The parts of a case that bring a job into a phase. */
export type Reaching = Pick<Case, 'phase' | 'begin' | 'meanwhile' | 'reach' | 'after'>;

/** Cuts a job short in one phase, in both ways. */
export function cut(row: Omit<Case, 'ends'>): Case[] {
  return [
    { ...row, ends: 'cancelled' },
    { ...row, ends: 'interrupted' },
  ];
}

export function queued({ kind, arrange, begin }: Pick<Case, 'kind' | 'arrange' | 'begin'>): Case[] {
  return cut({ kind, phase: 'queued', begin, ...(arrange ? { arrange } : {}) });
}

export const post =
  (action: string, body?: unknown) =>
  ({ server, name }: Place): Promise<number> =>
    submit(server.client, `/api/v1/clusters/${name}/${action}`, body);

export const made = ({ server, name }: Place): Promise<unknown> =>
  createCluster(server.client, name, { workers: 1 });

export const changed = async (place: Place): Promise<void> => {
  await made(place);
  await editConfig(place.server.client, place.name, withWorker);
};

/** A creation that failed, of which only the config is left. */
export const failed = async ({ server, docker, name }: Place): Promise<void> => {
  docker.images.remove(`docker.io/kindest/node:${UNUSED}`);
  docker.pull.missing.add(`docker.io/kindest/node:${UNUSED}`);
  const id = await requestCluster(server.client, name, { node_image_tag: UNUSED, workers: 1 });
  expect((await jobEnded(server.client, id)).state).toBe('failed');
  docker.pull.missing.clear();
};

export const created =
  (more: Record<string, unknown> = {}) =>
  ({ server, name }: Place): Promise<number> =>
    requestCluster(server.client, name, { workers: 1, ...more });

export const done = async ({ server }: Place, id: number): Promise<void> => {
  expect(['succeeded', 'failed']).toContain((await jobEnded(server.client, id)).state);
};

export const step =
  (name: string) =>
  ({ server }: Place, id: number): Promise<void> =>
    stepRuns(server.client, id, name);

const thaw = ({ server }: Place): void => server.machine.kind.thaw();

/** Freezes kind at a step, in the middle of which the job is then. */
export function frozen(at: (typeof STEPS)[number], begin: Case['begin']): Reaching {
  return {
    phase: at,
    begin: (place) => {
      place.server.machine.kind.freezeAt(at);
      return begin(place);
    },
    reach: async (place, id) => {
      const { kind } = place.server.machine;
      await waitFor(() => kind.hasReached(at), at);
      await step(at)(place, id);
      // After the image, one node exists by now.
      if (at !== 'ensuring-node-image') {
        await waitFor(() => place.docker.world.nodesOf(place.name).length > 0, 'a node');
      }
    },
  };
}

/** Holds a request to a node. */
export function held(ending: string, kind: string): Reaching {
  const path = ({ name }: Place): string => `/${name}-worker/${ending}`;
  return {
    phase: ending,
    begin: (place) => {
      place.docker.hold(path(place));
      return post(kind)(place);
    },
    reach: (place) => waitFor(() => place.docker.isHolding(path(place)), ending),
    after: (place) => place.docker.release(path(place)),
  };
}

/** In the middle of a slow pull. */
export function pulling(begin: Case['begin'], image = UNUSED): Reaching {
  return {
    phase: 'node-image',
    begin: (place) => {
      place.docker.images.remove(`docker.io/kindest/node:${image}`);
      place.docker.pull.messageMs = 1000;
      return begin(place);
    },
    reach: step('node-image'),
    after: ({ docker }) => (docker.pull.messageMs = 0),
  };
}

/** Fails as kubeadm does. */
export function inKubeadm(begin: Case['begin']): Reaching {
  const freeze = frozen('starting-control-plane', begin);
  return {
    ...freeze,
    begin: (place) => {
      place.server.machine.kind.failure = 'failing-in-kubeadm';
      return freeze.begin(place);
    },
    after: (place) => {
      thaw(place);
      place.server.machine.kind.failure = undefined;
    },
  };
}

/** No image of the registry. */
export function withoutImage(begin: Case['begin']): Reaching {
  return {
    phase: 'node-image',
    begin: (place) => {
      place.docker.images.remove(`docker.io/kindest/node:${UNUSED}`);
      place.docker.pull.missing.add(`docker.io/kindest/node:${UNUSED}`);
      return begin(place);
    },
    reach: done,
    after: ({ docker }) => docker.pull.missing.clear(),
  };
}

/** Holds a request of the first step to the engine. */
export function checking(begin: Case['begin'], ending: (place: Place) => string): Reaching {
  return {
    phase: 'checks',
    begin,
    meanwhile: (place) => place.docker.hold(ending(place)),
    reach: async (place, id) => {
      await step('checks')(place, id);
      await waitFor(() => place.docker.isHolding(ending(place)), 'the held request');
    },
    after: (place) => place.docker.release(ending(place)),
  };
}

/** Waits for a cluster DNS that is not ready after a start. */
export function unreadyNodes(kind: 'start' | 'unpause'): Reaching {
  const withDns =
    (dnsReady: boolean) =>
    ({ server, name }: Place): unknown =>
      Object.assign(server.machine.kind.apiServers.get(`docker/${name}`) ?? {}, { dnsReady });
  return {
    phase: 'ready',
    begin: (place) => {
      withDns(false)(place);
      return post(kind)(place);
    },
    reach: step('ready'),
    after: withDns(true),
  };
}

/** Waits for a cluster DNS that never becomes ready. */
export function unready(begin: Case['begin']): Reaching {
  const freeze = frozen('joining-workers', begin);
  return {
    ...freeze,
    phase: 'ready',
    reach: async (place, id) => {
      await freeze.reach?.(place, id);
      const api = place.server.machine.kind.apiServers.get(`docker/${place.name}`);
      if (api) api.dnsReady = false;
      thaw(place);
      await step('ready')(place, id);
    },
  };
}
