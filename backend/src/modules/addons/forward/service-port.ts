import { DomainError } from '../../../core/errors/index.js';
import type { KubernetesObject, ResourceApi } from '../../../drivers/kubernetes/index.js';
import { isMap } from '../../../drivers/package-manager/index.js';

const PODS = { group: '', version: 'v1', plural: 'pods' };
const SERVICES = { group: '', version: 'v1', plural: 'services' };

interface ServicePort {
  port: number;
  name?: string;
  targetPort?: number | string;
  protocol?: string;
}

/** A port of a Service, and of the pod that answers behind it. */
export interface PodPort {
  pod: { namespace: string; name: string };
  port: number;
}

/**
 * Finds a pod behind a port of a Service, as kubectl's port-forward does.
 * @throws DomainError `resource_not_found` where there is no such Service, port or pod that is ready.
 */
export async function podBehind(
  api: ResourceApi,
  service: { namespace: string; name: string },
  port: number,
): Promise<PodPort> {
  const { namespace, name } = service;
  const object = await api.read({ ...SERVICES, namespace, name });
  const spec = isMap(object['spec']) ? object['spec'] : {};
  const wanted = (spec['ports'] as ServicePort[] | undefined)?.find((one) => one.port === port);
  const selector = isMap(spec['selector']) ? spec['selector'] : {};
  if (!wanted || Object.keys(selector).length === 0) {
    throw new DomainError(
      'resource_not_found',
      `The service ${namespace}/${name} has no port ${port} with pods behind it.`,
    );
  }
  const labelSelector = Object.entries(selector)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(',');
  const pod = (await api.list(PODS, { namespace, labelSelector })).find(isReady);
  if (!pod) {
    throw new DomainError('resource_not_found', `No pod behind the service ${namespace}/${name} is ready.`);
  }
  const target = wanted.targetPort ?? wanted.port;
  const number = typeof target === 'number' ? target : namedPort(pod, target);
  if (number === undefined) {
    throw new DomainError(
      'resource_not_found',
      `The pod ${pod.metadata.name} has no port called ${String(target)}.`,
    );
  }
  return { pod: { namespace, name: pod.metadata.name }, port: number };
}

function isReady(pod: KubernetesObject): boolean {
  if (pod.metadata.deletionTimestamp !== undefined || !isMap(pod['status'])) return false;
  const { conditions } = pod['status'];
  return (
    Array.isArray(conditions) &&
    (conditions as { type?: unknown; status?: unknown }[]).some(
      ({ type, status }) => type === 'Ready' && status === 'True',
    )
  );
}

function namedPort(pod: KubernetesObject, name: string): number | undefined {
  const spec = isMap(pod['spec']) ? pod['spec'] : {};
  const containers = (spec['containers'] ?? []) as { ports?: { name?: string; containerPort?: number }[] }[];
  return containers.flatMap(({ ports = [] }) => ports).find((port) => port.name === name)?.containerPort;
}
