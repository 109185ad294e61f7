import type { ResourcePath } from './api-path.js';
import { storageKey } from './api-types.js';
import type { ClusterState } from './cluster-state.js';
import { hasEnded, isReady } from './controllers/pod-state.js';
import type { Reading } from './reading.js';
import type { Removal } from './removal.js';
import { selects, selectorText } from './selectors.js';
import type { Budget, Pod, Workload } from './shapes.js';
import { ApiFailure, invalid, methodNotAllowed } from './status.js';
import { decode } from './writing/decoding.js';
import { isFields, without } from './writing/merge-keys.js';
import { mergePatch } from './writing/patches.js';
import type { Change, Writing, Written } from './writing/writing.js';

const EVICTION = { kind: 'Eviction' };
const BUDGETS = 'poddisruptionbudgets.policy';

/** `…/scale` of workloads and `…/eviction` of pods. */
export class Subresources {
  constructor(
    private readonly state: ClusterState,
    private readonly reading: Reading,
    private readonly writing: Writing,
    private readonly removal: Removal,
  ) {}

  scale(path: ResourcePath): object {
    const workload = this.reading.find(path) as Workload;
    const { name, namespace, uid, resourceVersion, creationTimestamp } = workload.metadata;
    const selector = selectorText(workload.spec?.selector);
    return {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
      spec: { replicas: workload.spec?.replicas ?? 0 },
      status: { replicas: workload.status?.replicas ?? 0, ...(selector === '<none>' ? {} : { selector }) },
    };
  }

  /** @throws ApiFailure 404, 405, 409, 422 */
  setScale(method: string, path: ResourcePath, change: Change): Written {
    if (method !== 'PUT' && method !== 'PATCH') throw methodNotAllowed();
    const sent = decode(change.body, { kind: 'Scale' });
    const wanted = method === 'PUT' ? sent : mergePatch(this.scale(path), sent);
    const spec = isFields(wanted) && isFields(wanted['spec']) ? wanted['spec'] : {};
    const replicas = spec['replicas'] ?? 0;
    if (typeof replicas !== 'number' || replicas < 0) {
      const message = `Invalid value: ${JSON.stringify(replicas)}: must be greater than or equal to 0`;
      throw invalid({ group: 'autoscaling', kind: 'Scale' }, path.name ?? '', [
        { field: 'spec.replicas', message, reason: 'FieldValueInvalid' },
      ]);
    }
    const metadata = isFields(sent['metadata']) ? sent['metadata'] : {};
    const resourceVersion = metadata['resourceVersion'];
    const written = this.writing.patch(without(path, 'subresource'), {
      body: JSON.stringify({
        spec: { replicas },
        ...(resourceVersion ? { metadata: { resourceVersion } } : {}),
      }),
      contentType: 'application/merge-patch+json',
      query: change.query,
    });
    const answer = this.scale(path) as { spec: object };
    return { ...written, object: { ...answer, spec: { replicas } } };
  }

  /** @throws ApiFailure 404, 429, 500 */
  evict(path: ResourcePath, { body, query }: Change): Written {
    const pod = this.reading.find(path) as Pod;
    const eviction = decode(body, EVICTION);
    const options = isFields(eviction['deleteOptions']) ? eviction['deleteOptions'] : {};
    const dryRun = query.get('dryRun') === 'All' || Array.isArray(options['dryRun']);
    // One that has ended, or never came up, is nobody's loss.
    if (!hasEnded(pod) && isReady(pod)) this.askBudgets(pod);
    if (!dryRun) {
      this.removal.remove(storageKey(path.type), pod, {
        gracePeriodSeconds: options['gracePeriodSeconds'] as number | undefined,
      });
    }
    return {
      status: 201,
      object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
      warnings: [],
    };
  }

  private askBudgets({ metadata }: Pod): void {
    const budgets = this.state.store
      .list<Budget>(BUDGETS, metadata.namespace)
      .filter(({ spec }) => selects(spec?.selector, metadata.labels));
    if (budgets.length > 1) {
      throw new ApiFailure(
        500,
        'InternalError',
        `This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.`,
      );
    }
    const [budget] = budgets;
    if (!budget || (budget.status?.disruptionsAllowed ?? 0) > 0) return;
    const { name } = budget.metadata;
    const { desiredHealthy = 0, currentHealthy = 0 } = budget.status ?? {};
    throw new ApiFailure(
      429,
      'TooManyRequests',
      "Cannot evict pod as it would violate the pod's disruption budget.",
      {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
            field: '',
          },
        ],
      },
    );
  }
}
