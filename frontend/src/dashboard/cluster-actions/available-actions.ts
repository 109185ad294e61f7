import type { ClusterDto, ClusterState } from '../../shared/api/api-types';
import type { IconName } from '../../shared/ui/icon';

/** What one can ask of a cluster as a whole. */
export const CLUSTER_ACTIONS = [
  'start',
  'reapply',
  'stop',
  'pause',
  'unpause',
  'recreate',
  'delete',
] as const;
export type ClusterAction = (typeof CLUSTER_ACTIONS)[number];

/** Of each state, what it allows: what one would most likely do next comes first. */
const ALLOWED: Readonly<Record<ClusterState, readonly ClusterAction[]>> = {
  running: ['stop', 'pause', 'recreate', 'delete'],
  degraded: ['start', 'stop', 'recreate', 'delete'],
  paused: ['unpause', 'stop', 'recreate', 'delete'],
  stopped: ['start', 'recreate', 'delete'],
  failed: ['recreate', 'delete'],
  missing: ['recreate', 'delete'],
  unknown: [],
  creating: [],
  starting: [],
  stopping: [],
  deleting: [],
};

const ICONS: Readonly<Record<ClusterAction, IconName>> = {
  start: 'play',
  reapply: 'refresh',
  stop: 'stop',
  pause: 'pause',
  unpause: 'play',
  recreate: 'refresh',
  delete: 'trash',
};

const TEXTS: Readonly<Record<ClusterAction, string>> = {
  start: 'Start',
  reapply: 'Start with new config',
  stop: 'Stop',
  pause: 'Pause',
  unpause: 'Unpause',
  recreate: 'Recreate',
  delete: 'Delete',
};

/** What deletes containers; it comes last, and asks first. */
const LOSING: readonly ClusterAction[] = ['reapply', 'recreate', 'delete'];

/** An action as a button shows it. */
export interface OfferedAction {
  action: ClusterAction;
  icon: IconName;
  text: string;
  /** What it does where the text alone does not say: the tooltip. */
  says: string;
  /** It asks before it does anything, since something is lost. */
  asks: boolean;
}

/** What can be done with a cluster now, the likeliest first; nothing while a job is at work on it. */
export function actionsOf(cluster: ClusterDto): OfferedAction[] {
  if (cluster.active_job_id !== null) return [];
  const allowed = ALLOWED[cluster.state];
  // Where it runs too. Behind what loses nothing: it deletes the cluster and creates it again.
  const kept = allowed.filter((action) => !LOSING.includes(action));
  const reapplies = cluster.config_changed && kept.length > 0;
  const actions = reapplies ? [...kept, 'reapply' as const, ...allowed.slice(kept.length)] : allowed;
  return actions.map((action) => offered(action, cluster));
}

/** Those that get a button of their own: two at most, and nothing that loses anything while there is something else. */
export function foremostOf(cluster: ClusterDto): OfferedAction[] {
  const actions = actionsOf(cluster);
  const kept = actions.filter(({ action }) => !LOSING.includes(action) || action === 'reapply');
  return (kept.length > 0 ? kept : actions).slice(0, 2);
}

function offered(action: ClusterAction, { name, state, config_changed, nodes }: ClusterDto): OfferedAction {
  const offer = {
    action,
    icon: ICONS[action],
    text: TEXTS[action],
    says: `${TEXTS[action]} ${name}`,
    asks: LOSING.includes(action),
  };
  if (action === 'reapply') {
    return { ...offer, says: `Delete ${name} and create it again from its saved config` };
  }
  if (action === 'start' && state === 'stopped' && config_changed) {
    return { ...offer, says: `Start the existing nodes of ${name}; the changed config is not applied` };
  }
  if (action === 'start' && state === 'degraded') {
    return { ...offer, icon: 'refresh', text: 'Repair', says: `Start what does not run of ${name}` };
  }
  if (action === 'recreate') {
    return {
      ...offer,
      text: state === 'failed' ? 'Try again' : offer.text,
      says: `Create ${name} again from its saved config`,
      asks: nodes.length > 0,
    };
  }
  return offer;
}

/** Whether there is a kubeconfig to be had: some control plane, or a saved file of one that ran. */
export function hasKubeconfig(cluster: ClusterDto): boolean {
  return cluster.nodes.length > 0 && !['creating', 'deleting', 'failed', 'missing'].includes(cluster.state);
}
