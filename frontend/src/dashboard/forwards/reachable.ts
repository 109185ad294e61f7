import type { DeploymentSpec } from 'kubernetes-types/apps/v1';
import type { IngressSpec } from 'kubernetes-types/networking/v1';
import type { Api, ClusterKey } from '../../shared/api/api';
import type { ClusterDto, ForwardDto, ResourceObjectDto } from '../../shared/api/api-types';
import type { Received } from '../resource-model/received';
import { OBJECT, objectParams, typeParams } from '../resource-model/resource-address';
import { forwardObject } from './target-ports';

/** Where an object can be reached from this machine. */
export interface Reach {
  address: string;
  /** Its page opens by a link that works once. */
  forward?: ForwardDto;
  /** Of an Ingress, through a published port of a node. */
  url?: string;
}

const SERVICES = { group: 'core', version: 'v1', plural: 'services' };
const INGRESSES = { group: 'networking.k8s.io', version: 'v1', plural: 'ingresses' };
/** Ingresses of a namespace that are read. */
const MAX_INGRESSES = 20;
const HTTP_PORT = 80;

/**
 * The port-forwards to an object and to the Services that select it, and the hosts of the Ingresses of these Services.
 * @param labels of a Pod
 */
export async function findReach(
  api: Pick<Api, 'get'>,
  cluster: Pick<ClusterDto, 'name' | 'runtime' | 'ports'>,
  object: ResourceObjectDto,
  labels: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Reach[]> {
  const { namespace, name, type } = object;
  const isIngress = type.group === INGRESSES.group && type.plural === INGRESSES.plural;
  const target = forwardObject({ ...type, namespace, name });
  if (namespace === null || (target === null && !isIngress)) return [];
  const key = { name: cluster.name, runtime: cluster.runtime };
  const services = isIngress ? [] : await servicesOf(api, key, object, labels, signal);
  const forwards = await api.get('/api/v1/clusters/{name}/forwards', key, signal);
  const hosts = isIngress ? hostsOf(object) : await hostsTo(api, key, namespace, services, signal);
  const own = forwards.filter(
    ({ plural, namespace: of, object: to, hosts: more }) =>
      (plural === target?.plural && of === namespace && to === name) ||
      (plural === 'services' && of === namespace && services.includes(to)) ||
      more.some((host) => hosts.includes(host)),
  );
  const published = cluster.ports.find(
    ({ container_port: port, protocol }) => port === HTTP_PORT && protocol === 'TCP',
  );
  return [
    ...own.map((forward) => ({
      address: `${forward.url === null ? '' : 'http://'}${forward.local_address}`,
      forward,
    })),
    ...hosts.filter(isLocalHost).flatMap((host) => {
      const port = published?.host_port;
      if (port === undefined) return [];
      const url = `http://${host}${port === HTTP_PORT ? '' : `:${port}`}/`;
      return [{ address: url, url }];
    }),
  ];
}

/** Hosts that browsers resolve to their own machine. */
function isLocalHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** Names of the Services that select the Pods of an object; a Service itself. */
async function servicesOf(
  api: Pick<Api, 'get'>,
  key: ClusterKey,
  { type, name, namespace, spec }: ResourceObjectDto,
  labels: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<string[]> {
  if (type.plural === 'services') return [name];
  const pods =
    type.plural === 'pods' ? labels : (spec as Received<DeploymentSpec> | null)?.template?.metadata?.labels;
  const own = Object.entries(pods ?? {}).map(([label, value]) => `${label}=${value}`);
  if (own.length === 0) return [];
  const { columns, rows } = await api.get(
    '/api/v1/clusters/{name}/resources/{group}/{version}/{plural}',
    { ...typeParams(key, SERVICES), namespace: namespace ?? undefined },
    signal,
  );
  const at = columns.findIndex((column) => column.name === 'Selector');
  return rows
    .filter(({ cells }) => {
      const selector = String(cells[at] ?? '').split(',');
      return selector.every((label) => own.includes(label));
    })
    .map((row) => row.name);
}

/** Hosts of the Ingresses that lead to one of the Services. */
async function hostsTo(
  api: Pick<Api, 'get'>,
  key: ClusterKey,
  namespace: string,
  services: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  if (services.length === 0) return [];
  const { rows } = await api.get(
    '/api/v1/clusters/{name}/resources/{group}/{version}/{plural}',
    { ...typeParams(key, INGRESSES), namespace, limit: MAX_INGRESSES },
    signal,
  );
  const ingresses = await Promise.all(
    rows.map(({ name }) => api.get(OBJECT, objectParams(key, { ...INGRESSES, namespace, name }), signal)),
  );
  return ingresses.flatMap((ingress) => hostsOf(ingress, services));
}

/** @param services only hosts of rules that lead to one of them */
function hostsOf({ spec }: ResourceObjectDto, services?: readonly string[]): string[] {
  const { rules = [] } = (spec ?? {}) as Received<IngressSpec>;
  return rules.flatMap(({ host, http }) => {
    const leadsThere = http?.paths?.some(({ backend }) => services?.includes(backend?.service?.name ?? ''));
    return host && (services === undefined || leadsThere) ? [host] : [];
  });
}
