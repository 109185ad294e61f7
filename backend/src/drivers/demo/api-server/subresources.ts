import type { ResourcePath } from './api-path.js';
import { storageKey } from './api-types.js';
import type { ClusterState } from './cluster-state.js';
import { hasEnded, isReady } from './controllers/pod-state.js';
import { isFields } from './json-merge.js';
import type { Reading } from './reading.js';
import type { Removal } from './removal.js';
import { selectorText } from './printing/cell-template.js';
import { selects } from './selectors.js';
import type { ApiObject, DisruptionBudget, Pod, Workload } from './shapes.js';
import { ApiFailure, methodNotAllowed } from './status.js';
import { isDryRun, parse, type Change, type Writing, type Written } from './writing.js';

/** `…/scale` of workloads and `…/eviction` of pods. */
export class Subresources {
  constructor(
    private readonly state: ClusterState,
    private readonly reading: Reading,
    private readonly writing: Writing,
    private readonly removal: Removal,
  ) {}

  scale(path: ResourcePath): ApiObject & { spec: { replicas: number } } {
    const { metadata, spec, status } = this.reading.find(path) as Workload;
    return {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { ...metadata, labels: undefined, annotations: undefined, ownerReferences: undefined },
      spec: { replicas: spec?.replicas ?? 0 },
      status: { replicas: status?.replicas ?? 0, selector: selectorText(spec?.selector) },
    } as ApiObject & { spec: { replicas: number } };
  }

  /** @throws ApiFailure 404, 405, 409 */
  setScale(method: string, path: ResourcePath, { body, query }: Change): Written {
    if (method !== 'PUT' && method !== 'PATCH') throw methodNotAllowed();
    const { spec } = parse(body);
    const scale = this.scale(path);
    const replicas = isFields(spec) ? Number(spec['replicas']) : scale.spec.replicas;
    const contentType = 'application/merge-patch+json';
    const { type, namespace, name } = path;
    this.writing.patch(
      { type, namespace, name },
      { body: JSON.stringify({ spec: { replicas } }), contentType, query },
    );
    return { status: 200, object: { ...scale, spec: { replicas } } as ApiObject };
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
  private checkBudgets({ metadata }: Pod): void {
    const budget = this.state.store
      .list<DisruptionBudget>('poddisruptionbudgets.policy', metadata.namespace)
      .find(
        ({ spec, status }) => selects(spec?.selector, metadata.labels) && status?.disruptionsAllowed === 0,
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
