import { isRecord } from '../../../core/values/index.js';
import { PODS, statusOf, type KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { lastLines } from '../../diagnosis/index.js';
import type { UndoContext } from '../../jobs/index.js';
import type { AddonCluster } from '../common/addon-clusters.js';

const MAX_LINES = 20;
const MAX_PODS = 3;
const MAX_CONTAINERS = 5;
const JOBS = { group: 'batch', version: 'v1', plural: 'jobs' };

/**
 * Runs a helm operation. If it fails, logs the last lines of the hooks that it has started and that have not succeeded: helm
 * says which one failed, but not why. A hook that its chart deletes when it fails is left out.
 */
export async function runHooked(
  cluster: AddonCluster,
  namespace: string,
  context: UndoContext,
  operation: () => Promise<void>,
): Promise<void> {
  const started = Math.floor(Date.now() / 1000) * 1000;
  try {
    await operation();
  } catch (error) {
    // Without the logs, the error of helm remains.
    if (!context.signal.aborted) await logHooks(cluster, namespace, started, context).catch(() => undefined);
    throw error;
  }
}

async function logHooks(
  cluster: AddonCluster,
  namespace: string,
  since: number,
  context: UndoContext,
): Promise<void> {
  const [api, logs] = await Promise.all([cluster.api(), cluster.podLogs()]);
  const [pods, jobs] = await Promise.all([api.list(PODS, { namespace }), api.list(JOBS, { namespace })]);
  const hooks = new Set([...pods, ...jobs].filter(isHook).map(({ metadata }) => metadata.uid));
  const failed = pods
    .filter(({ metadata: { uid, ownerReferences = [] } }) =>
      [{ uid }, ...ownerReferences].some((one) => hooks.has(one.uid)),
    )
    .filter((pod) => createdAt(pod) >= since && statusOf(pod).phase !== 'Succeeded')
    .sort((one, other) => createdAt(other) - createdAt(one));
  for (const { metadata } of failed.slice(0, MAX_PODS)) {
    const pod = { namespace, name: metadata.name };
    const { containers } = await logs.find(pod);
    for (const { name: container, waiting, running } of containers.slice(0, MAX_CONTAINERS)) {
      if (context.signal.aborted) return;
      if (waiting === null && !running) continue;
      context.log(`Hook Pod ${pod.name}, container ${container}: ${waiting ?? 'running'}`, 'warning');
      const text = await lastLines(logs, pod, { container, previous: false }, MAX_LINES);
      for (const line of text.split('\n').filter(Boolean)) context.log(line, 'warning');
    }
  }
}

function isHook({ metadata: { annotations } }: KubernetesObject): boolean {
  return isRecord(annotations) && Object.hasOwn(annotations, 'helm.sh/hook');
}

function createdAt({ metadata: { creationTimestamp = '' } }: KubernetesObject): number {
  return Date.parse(creationTimestamp);
}
