import type { ApiType } from './api-types.js';
import type { ClusterState } from './cluster-state.js';
import { isReady } from './controllers/pod-state.js';
import type { Container, KubeNode, Pod } from './shapes.js';
import { labelTest } from './selectors.js';
import { notFound, unknownResource } from './status.js';
import { wholeSeconds } from './timeline.js';

/** How far back a measurement of metrics-server reaches. */
const WINDOW_SECONDS = 15;
const MEBI = 2 ** 20;

/** What `metrics.k8s.io` answers: waves around what each pod asks for, given by time alone. */
export class Metrics {
  static readonly types: ApiType[] = [
    measured('NodeMetrics', 'nodes', false),
    measured('PodMetrics', 'pods', true),
  ];

  constructor(private readonly state: ClusterState) {}

  /** @param parts what follows the version in the path. @throws ApiFailure 404 */
  answer(parts: readonly string[], query: URLSearchParams): object {
    const [first = '', second, third, fourth] = parts;
    if (first === 'nodes') {
      const nodes = this.state.store.list<KubeNode>('nodes');
      if (second === undefined) {
        return this.list(
          'NodeMetricsList',
          nodes.map((node) => this.node(node)),
        );
      }
      const node = nodes.find(({ metadata }) => metadata.name === second);
      if (!node) throw notFound({ group: 'metrics.k8s.io', plural: 'nodes' }, second);
      return { kind: 'NodeMetrics', apiVersion: 'metrics.k8s.io/v1beta1', ...this.node(node) };
    }
    const namespaced = first === 'namespaces' && third === 'pods';
    if (first !== 'pods' && !namespaced) throw unknownResource();
    const selector = query.get('labelSelector');
    const pods = this.state.store
      .list<Pod>('pods', namespaced ? second : undefined)
      .filter((pod) => pod.status?.phase === 'Running' && isReady(pod))
      .filter(selector ? labelTest(selector) : () => true);
    if (fourth === undefined) {
      return this.list(
        'PodMetricsList',
        pods.map((pod) => this.pod(pod)),
      );
    }
    const pod = pods.find(({ metadata }) => metadata.name === fourth);
    if (!pod) throw notFound({ group: 'metrics.k8s.io', plural: 'pods' }, `${second ?? ''}/${fourth}`);
    return { kind: 'PodMetrics', apiVersion: 'metrics.k8s.io/v1beta1', ...this.pod(pod) };
  }

  private list(kind: string, items: readonly object[]): object {
    return { kind, apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items };
  }

  private node({ metadata: { name, creationTimestamp, labels } }: KubeNode): object {
    const pods = this.state.store
      .list<Pod>('pods')
      .filter((pod) => pod.spec?.nodeName === name && pod.status?.phase === 'Running');
    const used = pods.flatMap((pod) =>
      (pod.spec?.containers ?? []).map((container) => this.used(pod, container)),
    );
    // Beside its pods, a node has itself to run.
    const cpu = 40e6 + used.reduce((sum, one) => sum + one.cpu, 0);
    const memory = 260 * MEBI + used.reduce((sum, one) => sum + one.memory, 0);
    return {
      metadata: { name, creationTimestamp: creationTimestamp ?? null, labels },
      ...this.measured(),
      usage: quantities({ cpu, memory }),
    };
  }

  private pod(pod: Pod): object {
    const { name, namespace, labels, creationTimestamp } = pod.metadata;
    return {
      metadata: { name, namespace, creationTimestamp, labels },
      ...this.measured(),
      containers: (pod.spec?.containers ?? []).map((container) => ({
        name: container.name,
        usage: quantities(this.used(pod, container)),
      })),
    };
  }

  private measured(): { timestamp: string; window: string } {
    const at = Math.floor(this.state.timeline.now / (WINDOW_SECONDS * 1000)) * WINDOW_SECONDS * 1000;
    return { timestamp: wholeSeconds(at), window: `${WINDOW_SECONDS}.000s` };
  }

  /** Nanocores and bytes. */
  private used({ metadata }: Pod, { name, resources }: Container): { cpu: number; memory: number } {
    const asked = resources?.requests ?? {};
    let phase = 0;
    for (const character of `${metadata.uid ?? ''}${name}`) {
      phase = (phase * 31 + character.charCodeAt(0)) % 6283;
    }
    const seconds = Math.floor(this.state.timeline.now / (WINDOW_SECONDS * 1000)) * WINDOW_SECONDS;
    const wave = 0.25 + 0.15 * Math.sin(seconds / 47 + phase / 1000);
    return {
      cpu: Math.round(milli(asked['cpu'] ?? '12m') * 1e6 * wave),
      memory: Math.round(bytes(asked['memory'] ?? '48Mi') * (0.55 + wave / 4)),
    };
  }
}

function measured(kind: string, plural: string, namespaced: boolean): ApiType {
  return {
    group: 'metrics.k8s.io',
    version: 'v1beta1',
    plural,
    kind,
    singular: '',
    namespaced,
    verbs: ['get', 'list'],
    shortNames: [],
    categories: [],
    subresources: [],
    custom: true,
  };
}

function quantities({ cpu, memory }: { cpu: number; memory: number }): { cpu: string; memory: string } {
  return { cpu: `${cpu}n`, memory: `${Math.round(memory / 1024)}Ki` };
}

function milli(quantity: string): number {
  return quantity.endsWith('m') ? Number.parseFloat(quantity) : Number.parseFloat(quantity) * 1000;
}

function bytes(quantity: string): number {
  const unit = { Ki: 2 ** 10, Mi: MEBI, Gi: 2 ** 30 }[/[KMG]i$/.exec(quantity)?.[0] ?? ''] ?? 1;
  return Number.parseFloat(quantity) * unit;
}
