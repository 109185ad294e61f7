import type { ClusterState } from '../cluster-state.js';
import { templateHash } from '../name-source.js';
import type { Removal } from '../removal.js';
import type { ApiObject, Pod, VolumeClaim, Workload } from '../shapes.js';
import type { Controller } from './controller.js';
import { isActive, isReady, makePod, podsOf } from './pod-state.js';

const HASH = 'controller-revision-hash';

/** Pods with names that stay, one after the other, and a volume for each. */
export class StatefulSets implements Controller {
  readonly type = 'statefulsets.apps';

  constructor(
    private readonly state: ClusterState,
    private readonly removal: Removal,
  ) {}

  reconcile(object: ApiObject): void {
    const set = object as Workload;
    if (set.metadata.deletionTimestamp !== undefined) return;
    const wanted = set.spec?.replicas ?? 1;
    const hash = `${set.metadata.name}-${templateHash(set.spec?.template)}`;
    const pods = podsOf(this.state, set).sort((one, other) => ordinalOf(one) - ordinalOf(other));
    this.step(set, pods, wanted, hash);
    const kept = podsOf(this.state, set).filter(isActive);
    const ready = kept.filter(isReady).length;
    const updated = kept.filter(({ metadata }) => metadata.labels?.[HASH] === hash).length;
    this.state.update<Workload>(this.type, set, {
      status: {
        replicas: kept.length,
        readyReplicas: ready,
        availableReplicas: ready,
        currentReplicas: updated,
        updatedReplicas: updated,
        currentRevision: hash,
        updateRevision: hash,
        observedGeneration: set.metadata.generation ?? 1,
      },
    });
  }

  private step(set: Workload, pods: readonly Pod[], wanted: number, hash: string): void {
    for (let ordinal = 0; ordinal < wanted; ordinal += 1) {
      const pod = pods.find((candidate) => ordinalOf(candidate) === ordinal);
      if (!pod) {
        this.makeMember(set, ordinal, hash);
        return;
      }
      if (!isActive(pod) || !isReady(pod)) return;
    }
    const last = pods.at(-1);
    if (pods.length > wanted && last && isActive(last)) {
      this.removal.remove('pods', last);
      return;
    }
    const outdated = pods.findLast(({ metadata }) => metadata.labels?.[HASH] !== hash);
    if (pods.length === wanted && outdated && set.spec?.updateStrategy?.type !== 'OnDelete') {
      this.removal.remove('pods', outdated);
    }
  }

  private makeMember(set: Workload, ordinal: number, hash: string): void {
    const name = `${set.metadata.name}-${ordinal}`;
    const claims = (set.spec?.volumeClaimTemplates ?? []).map((template) => {
      const claimName = `${template.metadata.name}-${name}`;
      if (!this.state.store.get('persistentvolumeclaims', set.metadata.namespace, claimName)) {
        this.state.create<VolumeClaim>('persistentvolumeclaims', {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: {
            name: claimName,
            namespace: set.metadata.namespace,
            labels: set.spec?.selector?.matchLabels,
            finalizers: ['kubernetes.io/pvc-protection'],
          },
          spec: { volumeMode: 'Filesystem', storageClassName: 'standard', ...(template as VolumeClaim).spec },
          status: { phase: 'Pending' },
        });
        this.state.event(set, {
          reason: 'SuccessfulCreate',
          message: `create Claim ${claimName} Pod ${name} in StatefulSet ${set.metadata.name} success`,
          by: 'statefulset-controller',
        });
      }
      return { name: template.metadata.name, persistentVolumeClaim: { claimName } };
    });
    makePod(this.state, set, set.spec?.template, {
      name,
      labels: {
        [HASH]: hash,
        'apps.kubernetes.io/pod-index': String(ordinal),
        'statefulset.kubernetes.io/pod-name': name,
      },
      spec: {
        hostname: name,
        subdomain: set.spec?.serviceName,
        volumes: [...(set.spec?.template?.spec?.volumes ?? []), ...claims],
      },
    });
    this.state.event(set, {
      reason: 'SuccessfulCreate',
      message: `create Pod ${name} in StatefulSet ${set.metadata.name} successful`,
      by: 'statefulset-controller',
    });
  }
}

function ordinalOf({ metadata }: Pod): number {
  return Number(metadata.name.slice(metadata.name.lastIndexOf('-') + 1));
}
