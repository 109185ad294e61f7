import { recordedJson } from '../recorded.js';
import type { ApiType } from './api-types.js';
import type { ClusterState } from './cluster-state.js';
import { isReady } from './controllers/pod-state.js';
import type { Container, KubeNode, Pod } from './shapes.js';
import { unknownResource } from './status.js';

/** The window of a measurement by metrics-server. */
const WINDOW_SECONDS = 15;
const MEBI = 2 ** 20;

/** `metrics.k8s.io`: waves around the requests of each pod, computed from the time. */
export class Metrics {
  static readonly types = recordedJson<ApiType[]>('metrics-types.json');

  constructor(private readonly state: ClusterState) {}

  /** @param plural `nodes` or `pods`. @throws ApiFailure 404 */
  list(plural: string): object {
    if (plural !== 'nodes' && plural !== 'pods') throw unknownResource();
    const items =
      plural === 'nodes'
        ? this.state.store.list<KubeNode>('nodes').map((node) => this.node(node))
        : this.runningPods().flatMap((pod) => (isReady(pod) ? this.pod(pod) : []));
    const kind = plural === 'nodes' ? 'NodeMetricsList' : 'PodMetricsList';
    return { kind, apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items };
  }

  private runningPods(): Pod[] {
    return this.state.store.list<Pod>('pods').filter(({ status }) => status?.phase === 'Running');
  }

  private node({ metadata: { name, creationTimestamp, labels } }: KubeNode): object {
    const usages = this.runningPods()
      .filter((pod) => pod.spec?.nodeName === name)
      .flatMap((pod) => (pod.spec?.containers ?? []).map((container) => this.usage(pod, container)));
    // The node itself needs some too.
    const cpu = 40e6 + usages.reduce((sum, usage) => sum + usage.cpu, 0);
    const memory = 260 * MEBI + usages.reduce((sum, usage) => sum + usage.memory, 0);
    return {
      metadata: { name, creationTimestamp, labels },
      usage: quantities({ cpu, memory }),
    };
  }

  private pod(pod: Pod): object {
    const { name, namespace, labels, creationTimestamp } = pod.metadata;
    return {
      metadata: { name, namespace, creationTimestamp, labels },
      containers: (pod.spec?.containers ?? []).map((container) => ({
        name: container.name,
        usage: quantities(this.usage(pod, container)),
      })),
    };
  }

  private get windowStart(): number {
    return Math.floor(this.state.timeline.now / (WINDOW_SECONDS * 1000)) * WINDOW_SECONDS;
  }

  /** Nanocores and bytes. */
  private usage({ metadata }: Pod, { name, resources }: Container): { cpu: number; memory: number } {
    const { cpu = '12m', memory = '48Mi' } = resources?.requests ?? {};
    let phase = 0;
    for (const character of `${metadata.uid}${name}`) phase = (phase * 31 + character.charCodeAt(0)) % 6283;
    const wave = 0.25 + 0.15 * Math.sin(this.windowStart / 47 + phase / 1000);
    return {
      cpu: Math.round(Number.parseFloat(cpu) * (cpu.endsWith('m') ? 1e6 : 1e9) * wave),
      memory: Math.round(
        Number.parseFloat(memory) * (memory.endsWith('Gi') ? 1024 : 1) * MEBI * (0.55 + wave / 4),
      ),
    };
  }
}

function quantities({ cpu, memory }: { cpu: number; memory: number }): { cpu: string; memory: string } {
  return { cpu: `${cpu}n`, memory: `${Math.round(memory / 1024)}Ki` };
}
