import type { ClusterState } from '../cluster-state.js';
import type { Change } from '../object-store.js';
import type { ApiObject, Workload } from '../shapes.js';
import type { Controller } from './controller.js';
import { withConditions } from './pod-state.js';

const DEPLOYMENTS = 'deployments.apps';
/** Per cent of what its pods ask for: an app that nobody uses much. */
const TYPICAL_LOAD = 23;

interface Autoscaler extends ApiObject {
  spec?: {
    minReplicas?: number;
    maxReplicas?: number;
    scaleTargetRef?: { kind?: string; name?: string };
    metrics?: { type?: string; resource?: { name?: string } }[];
  };
  status?: {
    currentReplicas?: number;
    conditions?: Parameters<typeof withConditions>[0];
    [field: string]: unknown;
  };
}

/** Keeps Deployments between the least and the most that their autoscalers allow. */
export class Autoscalers implements Controller {
  readonly type = 'horizontalpodautoscalers.autoscaling';

  constructor(private readonly state: ClusterState) {}

  concerned({ type, object }: Change): ApiObject[] {
    if (type !== DEPLOYMENTS) return [];
    return this.state.store
      .list(this.type, object.metadata.namespace)
      .filter((scaler) => (scaler as Autoscaler).spec?.scaleTargetRef?.name === object.metadata.name);
  }

  reconcile(object: ApiObject): void {
    const scaler = object as Autoscaler;
    const { minReplicas = 1, maxReplicas = 1, scaleTargetRef, metrics = [] } = scaler.spec ?? {};
    const { namespace } = scaler.metadata;
    const target = this.state.store.get<Workload>(DEPLOYMENTS, namespace, scaleTargetRef?.name ?? '');
    if (!target) return;
    const asked = target.spec?.replicas ?? 1;
    // One that is scaled to nothing is switched off, and stays so.
    const wanted = asked === 0 ? 0 : Math.min(Math.max(asked, minReplicas), maxReplicas);
    if (wanted !== asked) {
      this.state.update<Workload>(DEPLOYMENTS, target, { spec: { ...target.spec, replicas: wanted } });
      this.state.event(scaler, {
        reason: 'SuccessfulRescale',
        message: `New size: ${wanted}; reason: Current number of replicas ${asked < minReplicas ? 'below Spec.MinReplicas' : 'above Spec.MaxReplicas'}`,
        by: 'horizontal-pod-autoscaler',
      });
    }
    this.state.update<Autoscaler>(this.type, scaler, {
      status: {
        currentReplicas: target.status?.replicas ?? 0,
        desiredReplicas: wanted,
        currentMetrics: metrics.map(({ type, resource }) => ({
          type,
          resource: {
            name: resource?.name,
            current: { averageUtilization: TYPICAL_LOAD, averageValue: '12m' },
          },
        })),
        conditions: withConditions(
          scaler.status?.conditions,
          [
            {
              type: 'AbleToScale',
              status: 'True',
              reason: 'ReadyForNewScale',
              message: 'recommended size matches current size',
            },
            {
              type: 'ScalingActive',
              status: 'True',
              reason: 'ValidMetricFound',
              message: 'the HPA was able to successfully calculate a replica count',
            },
          ],
          this.state.timeline.time,
        ),
      },
    });
  }
}
