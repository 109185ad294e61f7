import type { ClusterState } from '../cluster-state.js';
import { templateHash } from '../name-source.js';
import type { ApiObject, Workload } from '../shapes.js';
import { ownerReference, type Controller } from './controller.js';
import { withConditions } from './pod-state.js';

const HASH = 'pod-template-hash';
const REVISION = 'deployment.kubernetes.io/revision';
const SETS = 'replicasets.apps';

/** Rolls out pod templates: the new ReplicaSet starts in full, the old ones end once its pods are available. */
export class Deployments implements Controller {
  readonly type = 'deployments.apps';

  constructor(private readonly state: ClusterState) {}

  reconcile(object: ApiObject): void {
    const deployment = object as Workload;
    if (deployment.metadata.deletionTimestamp !== undefined) return;
    const { replicas: wanted = 1, template, paused = false } = deployment.spec ?? {};
    const hash = templateHash(template);
    const sets = this.setsOf(deployment);
    const revision = Math.max(0, ...sets.map(revisionOf));
    const newest = sets.find((set) => revisionOf(set) === revision);
    const found = paused && newest ? newest : sets.find(({ metadata }) => metadata.labels?.[HASH] === hash);
    const current = found ?? this.createSet(deployment, hash, revision + 1);
    const old = sets.filter(({ metadata }) => metadata.uid !== current.metadata.uid);
    if (found && revisionOf(found) < revision) this.annotate(found, revision + 1);
    else this.resize(deployment, current, wanted);
    if ((this.state.current(SETS, current)?.status?.availableReplicas ?? 0) >= wanted) {
      for (const set of old) this.resize(deployment, set, 0);
    }
    this.report(deployment, this.state.current(SETS, current) ?? current, wanted);
  }

  private resize(deployment: Workload, set: Workload, replicas: number): void {
    const before = set.spec?.replicas ?? 0;
    if (before === replicas) return;
    this.state.update<Workload>(SETS, set, { spec: { ...set.spec, replicas } });
    this.state.event(deployment, {
      reason: 'ScalingReplicaSet',
      message: `Scaled ${replicas > before ? 'up' : 'down'} replica set ${set.metadata.name} from ${before} to ${replicas}`,
      by: 'deployment-controller',
    });
  }

  private createSet(deployment: Workload, hash: string, revision: number): Workload {
    const { selector, template } = deployment.spec ?? {};
    const labels = { ...template?.metadata?.labels, [HASH]: hash };
    return this.state.create<Workload>(SETS, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${deployment.metadata.name}-${hash}`,
        namespace: deployment.metadata.namespace,
        labels,
        annotations: { [REVISION]: String(revision) },
        ownerReferences: [ownerReference(deployment)],
        generation: 1,
      },
      spec: {
        replicas: 0,
        selector: { ...selector, matchLabels: { ...selector?.matchLabels, [HASH]: hash } },
        template: { ...template, metadata: { ...template?.metadata, labels } },
      },
      status: { replicas: 0 },
    });
  }

  /** A template that comes back gets the highest revision again. */
  private annotate(set: Workload, revision: number): void {
    const annotations = { ...set.metadata.annotations, [REVISION]: String(revision) };
    this.state.update<Workload>(SETS, set, { metadata: { ...set.metadata, annotations } });
  }

  private report(deployment: Workload, current: Workload, wanted: number): void {
    const sets = this.setsOf(deployment);
    const [replicas, ready] = (['replicas', 'readyReplicas'] as const).map((field) =>
      sets.reduce((sum, { status }) => sum + (status?.[field] ?? 0), 0),
    );
    const updatedReplicas = current.status?.replicas ?? 0;
    const available = (ready ?? 0) >= wanted;
    const done = available && updatedReplicas === wanted && replicas === wanted;
    const changes = [
      {
        type: 'Available',
        status: available ? 'True' : 'False',
        reason: available ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
      },
      {
        type: 'Progressing',
        status: 'True',
        reason: done ? 'NewReplicaSetAvailable' : 'ReplicaSetUpdated',
        message: `ReplicaSet "${current.metadata.name}" ${done ? 'has successfully progressed' : 'is progressing'}.`,
      },
    ];
    const conditions = withConditions(deployment.status?.conditions, changes, this.state.timeline.time);
    const annotations = { ...deployment.metadata.annotations, [REVISION]: String(revisionOf(current)) };
    this.state.update<Workload>(this.type, deployment, {
      metadata: { ...deployment.metadata, annotations },
      status: {
        observedGeneration: deployment.metadata.generation ?? 1,
        replicas,
        updatedReplicas,
        readyReplicas: ready,
        availableReplicas: ready,
        conditions,
      },
    });
  }

  private setsOf(deployment: Workload): Workload[] {
    return this.state.store
      .ownedBy(deployment.metadata.uid)
      .filter(({ type }) => type === SETS)
      .map(({ object }) => object as Workload);
  }
}

function revisionOf({ metadata }: Workload): number {
  return Number(metadata.annotations?.[REVISION] ?? 0);
}
