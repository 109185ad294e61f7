import type { ClusterDto, ClusterState } from '../../shared/api/api-types';
import type { IconName } from '../../shared/ui/icon';

export type ClusterAction = 'start' | 'reapply' | 'stop' | 'pause' | 'unpause' | 'recreate' | 'delete';

/** The actions of each state, the most likely first. */
const ALLOWED: Readonly<Record<ClusterState, readonly ClusterAction[]>> = {
  running: ['stop', 'pause', 'recreate', 'delete'],
  degraded: ['start', 'stop', 'recreate', 'delete'],
  paused: ['unpause', 'stop', 'recreate', 'delete'],
  stopped: ['start', 'recreate', 'delete'],
  failed: ['recreate', 'delete'],
  cancelled: ['recreate', 'delete'],
  missing: ['recreate', 'delete'],
  unknown: [],
  // Without a job, kind is creating it. If kind was killed, this removes the rest.
  creating: ['delete'],
  starting: [],
  stopping: [],
  deleting: [],
};

export const BUTTONS: Readonly<Record<ClusterAction, { icon: IconName; text: string }>> = {
  start: { icon: 'play', text: $localize`Start` },
  reapply: { icon: 'refresh', text: $localize`Start with new config` },
  stop: { icon: 'stop', text: $localize`Stop` },
  pause: { icon: 'pause', text: $localize`Pause` },
  unpause: { icon: 'play', text: $localize`Unpause` },
  recreate: { icon: 'refresh', text: $localize`Recreate` },
  delete: { icon: 'trash', text: $localize`Delete` },
};

/** Actions that delete containers. They come last and need a confirmation. */
const DESTRUCTIVE: readonly ClusterAction[] = ['reapply', 'recreate', 'delete'];

export interface OfferedAction {
  action: ClusterAction;
  icon: IconName;
  text: string;
  tooltip: string;
  confirms: boolean;
}

/** The possible actions of a cluster, the most likely first; none while a job runs, and of an external cluster. */
export function actionsOf(cluster: ClusterDto): OfferedAction[] {
  if (cluster.active_job_id !== null || cluster.external) return [];
  const allowed = ALLOWED[cluster.state];
  const kept = allowed.filter((action) => !DESTRUCTIVE.includes(action));
  const reapplies = cluster.config_changed && kept.length > 0;
  const actions = reapplies ? [...kept, 'reapply' as const, ...allowed.slice(kept.length)] : allowed;
  return actions.map((action) => offered(action, cluster));
}

/** Up to two actions with their own buttons. Destructive ones only if there are no others. */
export function primaryActionsOf(cluster: ClusterDto): OfferedAction[] {
  const actions = actionsOf(cluster);
  const kept = actions.filter(({ action }) => !DESTRUCTIVE.includes(action) || action === 'reapply');
  return (kept.length > 0 ? kept : actions).slice(0, 2);
}

function offered(action: ClusterAction, { name, state, config_changed, nodes }: ClusterDto): OfferedAction {
  const { icon, text } = BUTTONS[action];
  const offer = {
    action,
    icon,
    text,
    tooltip: $localize`${text}:action: ${name}:cluster:`,
    confirms: DESTRUCTIVE.includes(action),
  };
  if (action === 'reapply') {
    return { ...offer, tooltip: $localize`Delete ${name}:cluster: and recreate it from its saved config` };
  }
  if (action === 'start' && state === 'stopped' && config_changed) {
    return {
      ...offer,
      tooltip: $localize`Start the existing nodes of ${name}:cluster: without the changed config`,
    };
  }
  if (action === 'start' && state === 'degraded') {
    const tooltip = $localize`Start the stopped nodes of ${name}:cluster:`;
    return { ...offer, icon: 'refresh', text: $localize`Repair`, tooltip };
  }
  if (action === 'recreate') {
    return {
      ...offer,
      text: state === 'failed' ? $localize`Retry` : state === 'cancelled' ? $localize`Create it again` : text,
      tooltip: $localize`Recreate ${name}:cluster: from its saved config`,
      confirms: nodes.length > 0,
    };
  }
  return offer;
}

/** Whether a kubeconfig exists: of a control plane, or a saved file of one that ran. */
export function hasKubeconfig(cluster: ClusterDto): boolean {
  return (
    cluster.nodes.length > 0 &&
    !['creating', 'deleting', 'failed', 'cancelled', 'missing'].includes(cluster.state)
  );
}
