import { CLUSTER_NAME } from '../../core/security/index.js';

const MAX_LENGTH = 40;

/**
 * A name for the cluster of a context that no other cluster has. The names of cloud providers end with what the user calls
 * the cluster: `gke_project_zone_shop`, `arn:aws:eks:eu-west-1:123456789012:cluster/shop`.
 */
export function freeClusterName(context: string, taken: ReadonlySet<string>): string {
  const own = context.startsWith('gke_') ? context.split('_').slice(3).join('-') : context.split('/').at(-1);
  const plain = (own || context)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, MAX_LENGTH)
    .replace(/-$/, '');
  const base = CLUSTER_NAME.test(plain) ? plain : 'cluster';
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base.slice(0, MAX_LENGTH - 4)}-${count}`;
    if (!taken.has(name)) return name;
  }
}
