import type { ClusterKey } from '../../shared/api/api';
import type { ObjectName } from '../resource-model/resource-address';
import type { ShellTarget } from './shells';

/** The shell of a Pod or a node; null for other objects. */
export function shellTarget(
  key: ClusterKey,
  { group, plural, namespace, name }: ObjectName,
): ShellTarget | null {
  if (group !== 'core') return null;
  // The nodes of an external cluster are no containers of this host.
  if (plural === 'nodes') return key.runtime === 'kubeconfig' ? null : { key, target: 'node', node: name };
  if (plural !== 'pods' || namespace === null) return null;
  return { key, target: 'container', namespace, pod: name };
}
