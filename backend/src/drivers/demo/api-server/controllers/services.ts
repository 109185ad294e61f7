import type { ClusterState } from '../cluster-state.js';
import type { Change } from '../object-store.js';
import { selects } from '../selectors.js';
import type { ApiObject, EndpointSlice, Pod, Service } from '../shapes.js';
import { ownerReference, type Controller } from './controller.js';
import { hasEnded, isReady } from './pod-state.js';

const SLICES = 'endpointslices.discovery.k8s.io';
const SERVICE_NAME = 'kubernetes.io/service-name';

interface Endpoints extends ApiObject {
  subsets?: unknown[];
}

/** Keeps the EndpointSlices of services, and the Endpoints that older clients read. */
export class Services implements Controller {
  readonly type = 'services';

  constructor(private readonly state: ClusterState) {}

  concerned({ type, object, before }: Change): ApiObject[] {
    if (type !== 'pods') return [];
    const { namespace, labels } = object.metadata;
    const earlier = before?.metadata.labels;
    return this.state.store.list(this.type, namespace).filter((service) => {
      const selector = { matchLabels: (service as Service).spec?.selector };
      if (selector.matchLabels === undefined) return false;
      return selects(selector, labels) || (earlier !== undefined && selects(selector, earlier));
    });
  }

  removed({ metadata }: ApiObject): void {
    const endpoints = this.state.store.get('endpoints', metadata.namespace, metadata.name);
    if (endpoints) this.state.store.remove('endpoints', endpoints);
  }

  reconcile(object: ApiObject): void {
    const service = object as Service;
    const { metadata, spec } = service;
    if (spec?.selector === undefined || spec.type === 'ExternalName') return;
    const matchLabels = spec.selector;
    const pods = this.state.store
      .list<Pod>('pods', metadata.namespace)
      .filter(
        (pod) =>
          selects({ matchLabels }, pod.metadata.labels) && pod.status?.podIP !== undefined && !hasEnded(pod),
      );
    const ports = (spec.ports ?? []).map(({ name = '', port, targetPort = port, protocol = 'TCP' }) => ({
      name,
      port: typeof targetPort === 'number' ? targetPort : (namedPort(pods[0], targetPort) ?? port),
      protocol,
    }));
    const endpoints = pods.map((pod) => {
      const ready = isReady(pod) && pod.metadata.deletionTimestamp === undefined;
      const { namespace, name, uid } = pod.metadata;
      return {
        addresses: [pod.status?.podIP ?? ''],
        conditions: { ready, serving: ready, terminating: pod.metadata.deletionTimestamp !== undefined },
        nodeName: pod.spec?.nodeName,
        targetRef: { kind: 'Pod', namespace, name, uid },
      };
    });
    this.keepSlice(service, { ports, endpoints });
    this.keepEndpoints(service, ports, endpoints);
  }

  private keepSlice(service: Service, content: Pick<EndpointSlice, 'ports' | 'endpoints'>): void {
    const { name, namespace, labels } = service.metadata;
    const found = this.state.store.ownedBy(service.metadata.uid).find(({ type }) => type === SLICES);
    if (found) {
      this.state.update<EndpointSlice>(SLICES, found.object, content);
      return;
    }
    this.state.create<EndpointSlice>(SLICES, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        name: `${name}-${this.state.names.suffix()}`,
        generateName: `${name}-`,
        namespace,
        labels: {
          ...labels,
          'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
          [SERVICE_NAME]: name,
        },
        ownerReferences: [ownerReference(service)],
        generation: 1,
      },
      addressType: 'IPv4',
      ...content,
    });
  }

  private keepEndpoints(
    { metadata: { name, namespace, labels } }: Service,
    ports: NonNullable<EndpointSlice['ports']>,
    endpoints: NonNullable<EndpointSlice['endpoints']>,
  ): void {
    const addresses = endpoints
      .filter(({ conditions }) => conditions?.['ready'] === true)
      .map(({ addresses: found, nodeName, targetRef }) => ({ ip: found?.[0], nodeName, targetRef }));
    const subsets = addresses.length === 0 ? undefined : [{ addresses, ports }];
    const found = this.state.store.get('endpoints', namespace, name);
    if (found) this.state.update<Endpoints>('endpoints', found, { subsets });
    else {
      this.state.create<Endpoints>('endpoints', {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: {
          name,
          namespace,
          labels: { ...labels, 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' },
        },
        subsets,
      });
    }
  }
}

function namedPort(pod: Pod | undefined, name: string | undefined): number | undefined {
  return pod?.spec?.containers?.flatMap(({ ports = [] }) => ports).find((port) => port.name === name)
    ?.containerPort;
}
