import { DomainError } from '../../../core/errors/index.js';
import { recordOf } from '../../../core/values/index.js';
import {
  PODS,
  type KubernetesObject,
  type PodName,
  type ResourceApi,
} from '../../../drivers/kubernetes/index.js';
import { condition } from '../release/object-health.js';

const SERVICES = { group: '', version: 'v1', plural: 'services' };

interface ServicePort {
  port: number;
  name?: string;
  targetPort?: number | string;
  protocol?: string;
}

interface PodPort {
  pod: PodName;
  port: number;
}

/**
 * Finds a ready Pod for a port of a Service, like `kubectl port-forward`.
 * @throws DomainError `resource_not_found` if the Service, its port or a ready Pod does not exist.
 */
export async function findPodPort(api: ResourceApi, service: PodName, port: number): Promise<PodPort> {
  const { namespace, name } = service;
  const object = await api.read({ ...SERVICES, namespace, name });
  const spec = recordOf(object['spec']);
  const wanted = (spec['ports'] as ServicePort[] | undefined)?.find((one) => one.port === port);
  const selector = recordOf(spec['selector']);
  if (!wanted || Object.keys(selector).length === 0) {
    throw new DomainError(
      'resource_not_found',
      `Service ${namespace}/${name} has no port ${port}, or no selector.`,
    );
  }
  const labelSelector = Object.entries(selector)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(',');
  const pod = (await api.list(PODS, { namespace, labelSelector })).find(isReady);
  if (!pod) {
    throw new DomainError('resource_not_found', `Service ${namespace}/${name} has no ready Pod.`);
  }
  const target = wanted.targetPort ?? wanted.port;
  const number = typeof target === 'number' ? target : namedPort(pod, target);
  if (number === undefined) {
    throw new DomainError(
      'resource_not_found',
      `Pod ${pod.metadata.name} has no port named ${String(target)}.`,
    );
  }
  return { pod: { namespace, name: pod.metadata.name }, port: number };
}

function isReady(pod: KubernetesObject): boolean {
  return pod.metadata.deletionTimestamp === undefined && condition(pod, 'Ready') === 'True';
}

function namedPort(pod: KubernetesObject, name: string): number | undefined {
  const spec = recordOf(pod['spec']);
  const containers = (spec['containers'] ?? []) as { ports?: { name?: string; containerPort?: number }[] }[];
  return containers.flatMap(({ ports = [] }) => ports).find((port) => port.name === name)?.containerPort;
}
