import { type DomainError, hasCode } from '../../core/errors/index.js';
import { distributionOf, runsPlugin, type ContextEntry } from '../../drivers/contexts/index.js';
import type { PodScope } from '../../drivers/kubernetes/index.js';
import type { ExternalFacts } from '../clusters/index.js';
import type { ExternalAccess } from './external-access.js';
import type { ExternalCluster } from './external-cluster.store.js';

/** A cluster with its context as it is now, or with the reason why it has no context. */
export interface Current {
  cluster: ExternalCluster;
  entry: ContextEntry | undefined;
  problem: DomainError | undefined;
}

/** The entry in the list of clusters. @param reached the last response of its server */
export function describe(
  { cluster, entry, problem }: Current,
  reached: ReturnType<ExternalAccess['last']>,
): ExternalFacts {
  const { name, addedAt } = cluster;
  const isMissing = hasCode(problem, 'context_not_found');
  const reason =
    problem?.message.replace(/\.$/, '') ?? (reached ? reached.reason : 'Slipway has not connected to it yet');
  return {
    name,
    state: isMissing ? 'missing' : reason === null ? 'running' : 'unknown',
    reason,
    since: problem ? null : (reached?.since ?? null),
    version: reached?.version ?? null,
    addedAt,
    external: {
      context: cluster.context,
      file: cluster.file,
      server: entry?.server.href.replace(/\/$/, '') ?? null,
      user: entry?.userName ?? null,
      namespace: entry?.namespace ?? null,
      namespaces: cluster.namespaces,
      history: cluster.history.map((scope) => ({ ...scope })),
      distribution: distributionOf(cluster.context, entry?.server ?? null),
      color: cluster.color,
      note: cluster.note,
      changes_allowed: cluster.changesAllowed,
      identity: shortIdentity(cluster),
      insecure: entry?.insecure ?? false,
      needs_consent:
        entry !== undefined &&
        runsPlugin(entry) &&
        (cluster.consent === null || reached?.code === 'consent_required'),
      notice: cluster.notice,
      checked_at: reached?.checkedAt ?? null,
    },
  };
}

/** Each scope once. */
export function scopesOf(chosen: readonly { namespace: string; selector?: string }[]): PodScope[] {
  const scopes = chosen.map(({ namespace, selector }) => ({ namespace, selector: selector?.trim() || null }));
  return [...new Map(scopes.map((scope) => [JSON.stringify(scope), scope])).values()];
}

/** Enough of the identity to tell one from another. */
export function shortIdentity({ identity }: ExternalCluster): string {
  return identity.slice(0, 16);
}

export function sourceOf({ file }: ExternalCluster): string {
  return file ?? 'a pasted kubeconfig';
}
