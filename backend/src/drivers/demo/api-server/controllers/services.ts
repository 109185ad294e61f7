import type { ClusterState } from '../cluster-state.js';
import type { Change } from '../object-store.js';
import { selects } from '../selectors.js';
import type { ApiObject, Pod, Service } from '../shapes.js';
import { ownerReference, type Controller } from './controller.js';
import { hasEnded, isReady } from './pod-state.js';

const SLICES = 'endpointslices.discovery.k8s.io';

interface EndpointSlice extends ApiObject {
  addressType: string;
  ports: object[];
  endpoints: object[];
}

/** Keeps the EndpointSlice of each service with a selector. */
export class Services implements Controller {
  readonly type = 'services';

  constructor(private readonly state: ClusterState) {}

  concerned({ type, object }: Change): ApiObject[] {
    if (type !== 'pods') return [];
    const { namespace, labels } = object.metadata;
    return this.state.store
      .list<Service>(this.type, namespace)
      .filter(({ spec }) => selects({ matchLabels: spec?.selector }, labels));
  }

  reconcile({ metadata, spec, ...rest }: Service): void {
    if (spec?.selector === undefined) return;
    const matchLabels = spec.selector;
    const endpoints = this.state.store
      .list<Pod>('pods', metadata.namespace)
      .filter((pod) => selects({ matchLabels }, pod.metadata.labels) && pod.status?.podIP && !hasEnded(pod))
      .map((pod) => ({
        addresses: [pod.status?.podIP],
        conditions: { ready: isReady(pod) && pod.metadata.deletionTimestamp === undefined },
        nodeName: pod.spec?.nodeName,
        targetRef: { kind: 'Pod', namespace: pod.metadata.namespace, name: pod.metadata.name },
      }));
    const found = this.state.store.ownedBy(metadata.uid).find(({ type }) => type === SLICES);
    if (found) {
      this.state.update<EndpointSlice>(SLICES, found.object as EndpointSlice, { endpoints });
      return;
    }
    this.state.create<EndpointSlice>(SLICES, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        name: `${metadata.name}-${this.state.names.suffix()}`,
        namespace: metadata.namespace,
        labels: { ...metadata.labels, 'kubernetes.io/service-name': metadata.name },
        ownerReferences: [ownerReference({ metadata, ...rest })],
      },
      addressType: 'IPv4',
      ports: (spec.ports ?? []).map(({ name = '', port, protocol }) => ({ name, port, protocol })),
      endpoints,
    });
  }
}
