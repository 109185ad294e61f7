import type { ClusterState } from '../cluster-state.js';
import { templateHash } from '../name-source.js';
import type { ApiObject, Workload } from '../shapes.js';
import { ownerReference, type Controller } from './controller.js';
import { withConditions } from './pod-state.js';

const HASH = 'pod-template-hash';
const REVISION = 'deployment.kubernetes.io/revision';
const SETS = 'replicasets.apps';

/** Rolls the pods of Deployments from one template to the next, by ReplicaSets. */
export class Deployments implements Controller {
  readonly type = 'deployments.apps';

  constructor(private readonly state: ClusterState) {}

  reconcile(object: ApiObject): void {
    const deployment = object as Workload;
    if (deployment.metadata.deletionTimestamp !== undefined) return;
    const wanted = deployment.spec?.replicas ?? 1;
    const sets = this.setsOf(deployment);
    const hash = templateHash(deployment.spec?.template);
    const found = sets.find(({ metadata }) => metadata.labels?.[HASH] === hash);
    if (!found && deployment.spec?.paused === true) {
      this.tell(deployment, sets, undefined, wanted);
      return;
    }
    const current = this.asNewest(found ?? this.makeSet(deployment, hash), sets);
    const old = sets.filter(({ metadata }) => metadata.uid !== current.metadata.uid);
    this.scale(deployment, current, old, wanted);
    this.forget(deployment, old);
    const now = this.setsOf(deployment);
    this.tell(
      deployment,
      now,
      now.find(({ metadata }) => metadata.uid === current.metadata.uid),
      wanted,
    );
  }

  private scale(deployment: Workload, current: Workload, old: readonly Workload[], wanted: number): void {
    const recreate = deployment.spec?.strategy?.type === 'Recreate';
    const { maxSurge, maxUnavailable } = deployment.spec?.strategy?.rollingUpdate ?? {};
    const surge = recreate ? 0 : share(maxSurge, wanted, Math.ceil);
    const missing = recreate
      ? wanted
      : Math.max(share(maxUnavailable, wanted, Math.floor), surge === 0 ? 1 : 0);
    const oldWanted = sum(old, ({ spec }) => spec?.replicas);
    const has = current.spec?.replicas ?? 0;
    if (oldWanted === 0 || has > wanted) {
      const leaving = recreate && sum(old, ({ status }) => status?.replicas) > 0;
      if (!leaving) this.resize(deployment, current, wanted);
      return;
    }
    const room = wanted + surge - oldWanted - has;
    if (!recreate && room > 0) this.resize(deployment, current, Math.min(wanted, has + room));
    // Pods that were never ready are no loss; the others go as far as enough of all are available.
    const fresh = this.state.current(SETS, current) ?? current;
    const unavailable = (fresh.spec?.replicas ?? 0) - (fresh.status?.availableReplicas ?? 0);
    let spare = oldWanted + (fresh.spec?.replicas ?? 0) - (wanted - missing) - unavailable;
    for (const set of old) {
      const replicas = set.spec?.replicas ?? 0;
      const less = Math.min(replicas, Math.max(spare, 0));
      if (less > 0) this.resize(deployment, set, replicas - less);
      spare -= less;
    }
  }

  private resize(deployment: Workload, set: Workload, replicas: number): void {
    const has = set.spec?.replicas ?? 0;
    if (has === replicas) return;
    this.state.update<Workload>(SETS, set, { spec: { ...set.spec, replicas } });
    this.state.event(deployment, {
      reason: 'ScalingReplicaSet',
      message: `Scaled ${replicas > has ? 'up' : 'down'} replica set ${set.metadata.name} from ${has} to ${replicas}`,
      by: 'deployment-controller',
    });
  }

  private makeSet(deployment: Workload, hash: string): Workload {
    const { selector, template } = deployment.spec ?? {};
    const labels = { ...template?.metadata?.labels, [HASH]: hash };
    return this.state.create<Workload>(SETS, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${deployment.metadata.name}-${hash}`,
        namespace: deployment.metadata.namespace,
        labels,
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

  /** The set of the current template has the highest revision, also when it is an old one that came back. */
  private asNewest(set: Workload, sets: readonly Workload[]): Workload {
    const highest = Math.max(
      0,
      ...sets.filter(({ metadata }) => metadata.uid !== set.metadata.uid).map(revisionOf),
    );
    if (revisionOf(set) > highest) return set;
    const annotations = { ...set.metadata.annotations, [REVISION]: String(highest + 1) };
    return this.state.update<Workload>(SETS, set, { metadata: { ...set.metadata, annotations } });
  }

  private forget(deployment: Workload, old: readonly Workload[]): void {
    const idle = old
      .filter(({ spec, status }) => (spec?.replicas ?? 0) === 0 && (status?.replicas ?? 0) === 0)
      .sort((one, other) => revisionOf(other) - revisionOf(one));
    for (const set of idle.slice(deployment.spec?.revisionHistoryLimit ?? 10)) {
      this.state.store.remove(SETS, set);
    }
  }

  private tell(
    deployment: Workload,
    sets: readonly Workload[],
    current: Workload | undefined,
    wanted: number,
  ): void {
    const ready = sum(sets, ({ status }) => status?.readyReplicas);
    const available = sum(sets, ({ status }) => status?.availableReplicas);
    const replicas = sum(sets, ({ status }) => status?.replicas);
    const updated = current?.status?.replicas ?? 0;
    const enough =
      available >=
      wanted - share(deployment.spec?.strategy?.rollingUpdate?.maxUnavailable, wanted, Math.floor);
    const done = updated === wanted && replicas === wanted && available === wanted;
    const name = current?.metadata.name ?? '';
    const { time } = this.state.timeline;
    const conditions = withConditions(
      deployment.status?.conditions,
      [
        {
          type: 'Available',
          status: enough ? 'True' : 'False',
          reason: enough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
          message: `Deployment ${enough ? 'has' : 'does not have'} minimum availability.`,
        },
        {
          type: 'Progressing',
          status: 'True',
          reason: done ? 'NewReplicaSetAvailable' : 'ReplicaSetUpdated',
          message: `ReplicaSet "${name}" ${done ? 'has successfully progressed' : 'is progressing'}.`,
        },
      ],
      time,
    );
    const annotations = {
      ...deployment.metadata.annotations,
      ...(current ? { [REVISION]: String(revisionOf(current)) } : {}),
    };
    this.state.update<Workload>(this.type, deployment, {
      metadata: { ...deployment.metadata, annotations },
      status: {
        observedGeneration: deployment.metadata.generation ?? 1,
        replicas,
        updatedReplicas: updated,
        readyReplicas: ready,
        availableReplicas: available,
        ...(replicas > available ? { unavailableReplicas: replicas - available } : {}),
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

function sum(sets: readonly Workload[], count: (set: Workload) => number | undefined): number {
  return sets.reduce((total, set) => total + (count(set) ?? 0), 0);
}

function share(value: number | string | undefined, of: number, round: (part: number) => number): number {
  const given = value ?? '25%';
  return typeof given === 'number' ? given : round((Number.parseFloat(given) / 100) * of);
}
