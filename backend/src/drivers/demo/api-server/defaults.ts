import { apiVersionOf, type ApiType } from './api-types.js';
import type { ClusterState } from './cluster-state.js';
import { mergePatch } from './json-merge.js';
import type { ApiObject, Service } from './shapes.js';

interface Secret extends ApiObject {
  stringData?: Record<string, string>;
  data?: Record<string, string>;
}

/** Fills in the fields that the server sets where a client leaves them out. */
export function withDefaults(object: ApiObject, type: ApiType, state: ClusterState): ApiObject {
  const named = { apiVersion: apiVersionOf(type), kind: type.kind, metadata: { ...object.metadata } };
  const complete = { ...named, ...(mergePatch(type.defaults ?? {}, object) as ApiObject), ...named };
  if (type.group !== '') return complete;
  if (type.plural === 'services') return withAddress(complete, state);
  if (type.plural === 'secrets') return withEncodedData(complete);
  if (type.plural === 'namespaces') {
    const { name, labels } = object.metadata;
    complete.metadata.labels = { 'kubernetes.io/metadata.name': name, ...labels };
  }
  return complete;
}

function withAddress(object: Service, { store, names }: ClusterState): Service {
  const { spec = {} } = object;
  if (spec.type === 'ExternalName') return object;
  const exposed = spec.type === 'NodePort' || spec.type === 'LoadBalancer';
  const number = store.list('services').length + 10;
  const clusterIP = spec.clusterIP ?? `10.96.${Math.floor(names.chance() * 256)}.${(number % 250) + 2}`;
  const ports = spec.ports?.map((port) => ({
    protocol: 'TCP',
    targetPort: port.port,
    ...port,
    ...(exposed ? { nodePort: port.nodePort ?? 30_000 + Math.floor(names.chance() * 2768) } : {}),
  }));
  return { ...object, spec: { ...spec, clusterIP, clusterIPs: [clusterIP], ports } };
}

/** `stringData` is write-only. */
function withEncodedData({ stringData = {}, data = {}, ...rest }: Secret): Secret {
  const encoded = Object.entries(stringData).map(([key, value]) => [
    key,
    Buffer.from(value).toString('base64'),
  ]);
  return { ...rest, data: { ...data, ...(Object.fromEntries(encoded) as Record<string, string>) } };
}
