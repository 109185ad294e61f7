import {
  specOf,
  type KubernetesObject,
  type ResourceReference,
  type ResourceType,
} from '../../../drivers/kubernetes/index.js';
import { readableKind } from '../../resources/index.js';

/** Namespaces of kind and kubeadm. */
const SYSTEM_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease', 'local-path-storage'];

/** Warnings for changes of system namespaces, which are allowed. */
export function warningsOf({ namespace }: Pick<ResourceReference, 'namespace'>): string[] {
  return namespace !== null && SYSTEM_NAMESPACES.includes(namespace)
    ? [`${namespace} contains system components. Changes can break the cluster.`]
    : [];
}

/** Side effects of a deletion, other than on owned objects. */
export function deletionWarnings(
  { group, plural }: Pick<ResourceType, 'group' | 'plural'>,
  reference: ResourceReference,
  object: KubernetesObject,
): string[] {
  const { name } = reference;
  const spec = specOf(object);
  switch (`${plural}.${group}`) {
    case 'namespaces.':
      return [`All objects in namespace ${name} are deleted too.`];
    case 'customresourcedefinitions.apiextensions.k8s.io':
      return [
        `Every ${readableKind(spec.names?.kind ?? 'object')} in all namespaces is deleted with its CRD.`,
      ];
    case 'persistentvolumeclaims.':
      return ['The data of its volume may be deleted too.'];
    case 'persistentvolumes.':
      return ['Its data may be lost.'];
    case 'nodes.':
      return [
        `The container of ${name} keeps running. After a restart, its kubelet registers the node again.`,
      ];
    default:
      return warningsOf(reference);
  }
}

/** Why a changed Pod template may replace no Pods. */
export function rolloutWarnings(stored: KubernetesObject): string[] {
  const { replicas, updateStrategy } = specOf(stored);
  return [
    ...(updateStrategy?.type === 'OnDelete'
      ? ['Its update strategy is OnDelete. Delete each pod to replace it.']
      : []),
    ...(replicas === 0 ? ['It has no replicas, so no pods are replaced.'] : []),
  ];
}
