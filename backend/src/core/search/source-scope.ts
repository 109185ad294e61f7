export const SOURCE_SCOPES = ['apps', 'system'] as const;
/** Whose lines: those of applications, or of what they run on. */
export type SourceScope = (typeof SOURCE_SCOPES)[number];

interface Placed {
  kind: string;
  cluster: string | null;
  namespace: string | null;
  workload: string | null;
  name: string;
}

/** Namespaces that kind creates in each cluster. */
const SYSTEM_NAMESPACE = /^(?:kube-system|kube-public|kube-node-lease|local-path-storage)$/;

/**
 * The scope of a log source. System are the Pods that kind ships, nodes with their services, and Slipway itself in the
 * container that docs/container.md starts.
 */
export function scopeOfSource({ kind, cluster, namespace, workload, name }: Placed): SourceScope {
  if (kind === 'pod') return SYSTEM_NAMESPACE.test(namespace ?? '') ? 'system' : 'apps';
  const isSlipway = workload === 'Compose/slipway' || name === 'slipway';
  return kind === 'node' || cluster !== null || isSlipway ? 'system' : 'apps';
}
