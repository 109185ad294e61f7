import type { KubernetesObject, ResourceReference, ResourceType } from '../../../drivers/kubernetes/index.js';
import { readableKind } from './object-names.js';

/** Namespaces that kind and kubeadm fill, with what the cluster itself needs. */
const OWN_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease', 'local-path-storage'];

/** Said of any change of what the cluster itself needs: it is warned of, and not forbidden. */
export function warningsOf({ namespace }: Pick<ResourceReference, 'namespace'>): string[] {
  return namespace !== null && OWN_NAMESPACES.includes(namespace)
    ? [`${namespace} holds what the cluster itself needs: a wrong change here may break the cluster.`]
    : [];
}

/** What goes with an object that is deleted, beside what it owns. */
export function deletionWarnings(
  { group, plural }: Pick<ResourceType, 'group' | 'plural'>,
  reference: ResourceReference,
  object: KubernetesObject,
): string[] {
  const { name } = reference;
  const spec = (object['spec'] ?? {}) as {
    names?: { kind?: string };
    persistentVolumeReclaimPolicy?: string;
  };
  switch (`${plural}.${group}`) {
    case 'namespaces.':
      return [`Everything in the namespace ${name} is deleted with it.`];
    case 'customresourcedefinitions.apiextensions.k8s.io':
      return [
        `Every ${readableKind(spec.names?.kind ?? 'object')} in every namespace is deleted with its definition.`,
      ];
    case 'persistentvolumeclaims.':
      return ['The data of its volume may be deleted with it.'];
    case 'persistentvolumes.':
      return ['What is stored on it may be lost.'];
    case 'nodes.':
      return [
        `The container of ${name} goes on running: its kubelet registers it again once it is restarted.`,
      ];
    default:
      return warningsOf(reference);
  }
}
