import { anything, list, parseJson, record } from '../../core/parsing/index.js';
import type { ApiConnection } from './api-connection.js';
import type { ClusterWorkloads } from './kubernetes-gateway.js';

/** Short, since a confirmation dialog waits for the result. */
const WORKLOADS_DEADLINE_MS = 2000;
/** Namespaces of kind and kubeadm. */
const OWN_NAMESPACES = ['kube-system', 'local-path-storage'];
const PODS = `/api/v1/pods?fieldSelector=${encodeURIComponent(
  [
    ...OWN_NAMESPACES.map((namespace) => `metadata.namespace!=${namespace}`),
    'status.phase!=Succeeded',
    'status.phase!=Failed',
  ].join(),
)}`;
const VOLUME_CLAIMS = '/api/v1/persistentvolumeclaims';

const items = record({ items: list(anything) });

/** Counts the user's workloads in a cluster; null if it does not respond in time. */
export async function countWorkloads(connection: ApiConnection): Promise<ClusterWorkloads | null> {
  try {
    const [pods = 0, volumeClaims = 0] = await Promise.all(
      [PODS, VOLUME_CLAIMS].map((path) => count(connection, path)),
    );
    return { pods, volumeClaims };
  } catch {
    return null;
  }
}

async function count(connection: ApiConnection, path: string): Promise<number> {
  const { status, text } = await connection.send({ path, deadlineMs: WORKLOADS_DEADLINE_MS });
  if (status !== 200) throw new Error(`the API server returned ${status}`);
  return items(parseJson(text))?.items?.length ?? 0;
}
