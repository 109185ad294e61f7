import type { ClusterDto, JobDto, JobKind } from '../../shared/api/api-types';
import { actionsOf, type ClusterAction } from '../cluster-actions/available-actions';

const ACTIONS: Readonly<Partial<Record<JobKind, ClusterAction>>> = {
  create: 'recreate',
  clone: 'recreate',
  recreate: 'recreate',
  start: 'start',
  stop: 'stop',
  pause: 'pause',
  unpause: 'unpause',
  delete: 'delete',
};

/** The action that repeats a job that did not succeed; undefined if the cluster does not allow it. */
export function retryOf({ kind, state }: JobDto, cluster: ClusterDto | undefined): ClusterAction | undefined {
  if (!cluster || !['failed', 'cancelled', 'interrupted'].includes(state)) return undefined;
  const action = ACTIONS[kind];
  // A cluster that runs again was repaired by a later job.
  if (action === 'recreate' && !['failed', 'cancelled', 'missing'].includes(cluster.state)) return undefined;
  return actionsOf(cluster).find((offered) => offered.action === action)?.action;
}
