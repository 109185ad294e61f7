import { PODS, specOf, type KubernetesObject, type ResourceApi } from '../../../drivers/kubernetes/index.js';
import { controllerOf, isFinished, isMirror } from '../pods/restart-outcome.js';

export interface DrainedPod {
  namespace: string;
  name: string;
  uid: string;
}

export interface DrainPlan {
  leave: DrainedPod[];
  /** A DaemonSet would recreate its pods at once, and static pods belong to the kubelet. */
  stay: { daemonSet: DrainedPod[]; mirror: DrainedPod[] };
  losses: DrainLosses;
}

export interface DrainLosses {
  emptyDir: DrainedPod[];
  /** Pods that are not recreated. */
  bare: DrainedPod[];
}

const DAEMON_SETS = { group: 'apps', version: 'v1', plural: 'daemonsets' };

/** Plans a drain by the rules of `kubectl drain`. */
export async function planDrain(api: ResourceApi, node: string): Promise<DrainPlan> {
  const [pods, daemonSets] = await Promise.all([podsOn(api, node), api.list(DAEMON_SETS)]);
  return sortPods(
    pods,
    new Set(daemonSets.map(({ metadata: { namespace = '', name } }) => `${namespace}/${name}`)),
  );
}

export async function podsOn(api: ResourceApi, node: string): Promise<KubernetesObject[]> {
  return await api.list(PODS, { fieldSelector: `spec.nodeName=${node}` });
}

/** @param daemonSets existing DaemonSets as `namespace/name` */
export function sortPods(pods: readonly KubernetesObject[], daemonSets: ReadonlySet<string>): DrainPlan {
  const plan: DrainPlan = {
    leave: [],
    stay: { daemonSet: [], mirror: [] },
    losses: { emptyDir: [], bare: [] },
  };
  for (const pod of pods) {
    const named = nameOf(pod);
    const owner = controllerOf(pod);
    const ofDaemonSet = owner?.kind === 'DaemonSet' && daemonSets.has(`${named.namespace}/${owner.name}`);
    if (isMirror(pod)) plan.stay.mirror.push(named);
    else if (ofDaemonSet && !isFinished(pod)) plan.stay.daemonSet.push(named);
    else {
      plan.leave.push(named);
      // A completed pod no longer needs its data.
      if (isFinished(pod)) continue;
      if (!owner || owner.kind === 'DaemonSet') plan.losses.bare.push(named);
      if (hasEmptyDir(pod)) plan.losses.emptyDir.push(named);
    }
  }
  return plan;
}

export function podName({ namespace, name }: Pick<DrainedPod, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}

function nameOf({ metadata: { namespace = '', name, uid = '' } }: KubernetesObject): DrainedPod {
  return { namespace, name, uid };
}

function hasEmptyDir(pod: KubernetesObject): boolean {
  const { volumes = [] } = specOf(pod);
  return volumes.some(({ emptyDir }) => emptyDir !== undefined);
}
