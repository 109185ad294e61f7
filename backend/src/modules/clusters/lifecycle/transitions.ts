import { DomainError } from '../../../core/errors/index.js';
import type { Cluster, ClusterState } from '../inventory/index.js';

export type LifecycleKind = 'start' | 'stop' | 'pause' | 'unpause';

/** States in which each action is allowed, including those in which it does nothing. */
const POSSIBLE: Record<LifecycleKind, readonly ClusterState[]> = {
  start: ['running', 'stopped', 'degraded'],
  stop: ['stopped', 'running', 'degraded', 'paused'],
  pause: ['paused', 'running'],
  unpause: ['running', 'paused'],
};

/** What to do instead. */
const INSTEAD: Partial<Record<ClusterState, string>> = {
  failed: 'Its creation failed. Recreate it from its saved config, or delete it.',
  missing: 'Its containers no longer exist. Recreate it from its saved config, or delete it.',
  paused: 'Unpause it.',
  stopped: 'Start it.',
  degraded: 'Start it to start its stopped nodes and unpause its paused ones.',
};

/** @throws DomainError `cluster_state` if the action is not possible in the state of the cluster. */
export function assertPossible(kind: LifecycleKind, { name, state }: Cluster): void {
  if (POSSIBLE[kind].includes(state)) return;
  throw new DomainError(
    'cluster_state',
    [`${name} is ${state}, and cannot ${PHRASES[kind]}.`, INSTEAD[state] ?? ''].join(' ').trim(),
    { state },
  );
}

const PHRASES: Record<LifecycleKind, string> = {
  start: 'be started',
  stop: 'be stopped',
  pause: 'be paused',
  unpause: 'be unpaused',
};
