import { DomainError } from '../../../core/errors/index.js';
import type { Cluster, ClusterState } from '../inventory/index.js';

export type LifecycleKind = 'start' | 'stop' | 'pause' | 'unpause';

/** States from which each may be asked for; the first ones have nothing to do and say so. */
const POSSIBLE: Record<LifecycleKind, readonly ClusterState[]> = {
  start: ['running', 'stopped', 'degraded'],
  stop: ['stopped', 'running', 'degraded', 'paused'],
  pause: ['paused', 'running'],
  unpause: ['running', 'paused'],
};

/** What to do instead, from a state in which hardly anything can be asked for. */
const INSTEAD: Partial<Record<ClusterState, string>> = {
  failed: 'Its creation failed: create it again from its saved config, or delete it.',
  missing: 'Its containers are gone: create it again from its saved config, or delete it.',
  paused: 'Unpause it.',
  stopped: 'Start it.',
  degraded: 'Start it: that brings back what is missing and unpauses what is paused.',
};

/** @throws DomainError `cluster_state` for what a cluster in its state cannot do, with what can be done instead. */
export function assertPossible(kind: LifecycleKind, { name, state }: Cluster): void {
  if (POSSIBLE[kind].includes(state)) return;
  throw new DomainError(
    'cluster_state',
    [`${name} is ${state}, and so cannot ${PHRASES[kind]}.`, INSTEAD[state] ?? ''].join(' ').trim(),
    { state },
  );
}

const PHRASES: Record<LifecycleKind, string> = {
  start: 'be started',
  stop: 'be stopped',
  pause: 'be paused',
  unpause: 'be unpaused',
};
