import type { ResourcePath } from './api-path.js';
import { storageKey } from './api-types.js';
import type { ClusterState } from './cluster-state.js';
import { hasEnded, isReady } from './controllers/pod-state.js';
import type { Reading } from './reading.js';
import type { Removal } from './removal.js';
import type { ApiObject, DisruptionBudget, Pod, Workload } from './shapes.js';
import { ApiFailure, methodNotAllowed } from './status.js';
import { isDryRun, parse, type Change, type Writing, type Written } from './writing.js';

/** The subresource `scale` of an object with `spec.replicas`. */
export function scaleOf(object: object): ApiObject {
  const { metadata, spec } = object as Workload;
  const { name, namespace, uid, resourceVersion } = metadata;
  const scale = {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion },
    spec: { replicas: spec?.replicas },
  };
  return scale;
}

/** `…/scale` of workloads and `…/eviction` of pods. */
export class Subresources {
  constructor(
    private readonly state: ClusterState,
    private readonly reading: Reading,
    private readonly writing: Writing,
    private readonly removal: Removal,
  ) {}

  /** Sets `spec.replicas`. @throws ApiFailure 404, 405, 409 */
  setScale(method: string, { type, namespace, name }: ResourcePath, change: Change): Written {
    if (method !== 'PATCH') throw methodNotAllowed();
    const { object } = this.writing.patch({ type, namespace, name }, change);
    return { status: 200, object: scaleOf(object) };
  }

  /** @throws ApiFailure 404, 429 */
  evict(path: ResourcePath, { body, query }: Change): Written {
    const pod = this.reading.find(path) as Pod;
    const { deleteOptions = {} } = parse(body) as {
      deleteOptions?: { gracePeriodSeconds?: number; dryRun?: string[] };
    };
    if (!hasEnded(pod) && isReady(pod)) this.checkBudgets(pod);
    if (!isDryRun(query) && deleteOptions.dryRun === undefined) {
      this.removal.remove(storageKey(path.type), pod, {
        gracePeriodSeconds: deleteOptions.gracePeriodSeconds,
      });
    }
    const object = { kind: 'Status', apiVersion: 'v1', metadata: { name: '' }, status: 'Success' };
    return { status: 201, object };
  }

  /** The recorded budgets of the shop have a fixed status: `postgres` blocks each drain until someone deletes it. */
  private checkBudgets({ metadata: { namespace, labels = {} } }: Pod): void {
    const budget = this.state.store
      .list<DisruptionBudget>('poddisruptionbudgets.policy', namespace)
      .filter(({ status }) => status?.disruptionsAllowed === 0)
      .find(({ spec }) =>
        Object.entries(spec?.selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value),
      );
    if (!budget) return;
    const { desiredHealthy = 0, currentHealthy = 0 } = budget.status ?? {};
    const message = `The disruption budget ${budget.metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
    throw new ApiFailure(
      429,
      'TooManyRequests',
      "Cannot evict pod as it would violate the pod's disruption budget.",
      { causes: [{ reason: 'DisruptionBudget', message, field: '' }] },
    );
  }
}
