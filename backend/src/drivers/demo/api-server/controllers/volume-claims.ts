import type { ClusterState } from '../cluster-state.js';
import type { Change } from '../object-store.js';
import type { ApiObject, Pod, VolumeClaim } from '../shapes.js';
import type { Controller } from './controller.js';

const CLAIMS = 'persistentvolumeclaims';
const PROTECTION = 'kubernetes.io/pvc-protection';
/** Seconds of demo time. */
const PROVISION_SECONDS = 1;

interface Volume extends ApiObject {
  spec?: object;
  status?: { phase: string };
}

/** Gives claims their volumes once a pod that uses them has a node, as the local-path provisioner does. */
export class VolumeClaims implements Controller {
  readonly type = CLAIMS;
  private readonly begun = new Set<string>();

  constructor(private readonly state: ClusterState) {}

  concerned({ type, object, before }: Change): ApiObject[] {
    if (type !== 'pods') return [];
    const names = new Set([...claimsOf(object), ...claimsOf(before)]);
    return [...names].flatMap((name) => this.state.store.get(CLAIMS, object.metadata.namespace, name) ?? []);
  }

  removed(object: ApiObject): void {
    const { volumeName } = (object as VolumeClaim).spec ?? {};
    this.begun.delete(object.metadata.uid ?? '');
    const volume = this.state.store.get('persistentvolumes', undefined, volumeName ?? '');
    if (volume) this.state.store.remove('persistentvolumes', volume);
  }

  reconcile(object: ApiObject): void {
    const claim = object as VolumeClaim;
    const { metadata, spec, status } = claim;
    const users = this.state.store
      .list<Pod>('pods', metadata.namespace)
      .filter((pod) => claimsOf(pod).includes(metadata.name));
    if (metadata.deletionTimestamp !== undefined) {
      if (users.length > 0) return;
      const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== PROTECTION);
      if (finalizers.length === 0) this.state.store.remove(CLAIMS, claim);
      else this.state.update<VolumeClaim>(CLAIMS, claim, { metadata: { ...metadata, finalizers } });
      return;
    }
    const uid = metadata.uid ?? '';
    if (status?.phase === 'Bound' || this.begun.has(uid)) return;
    const node = users.find((pod) => pod.spec?.nodeName !== undefined)?.spec?.nodeName;
    if (node === undefined || (spec?.storageClassName ?? 'standard') !== 'standard') return;
    this.begun.add(uid);
    this.state.event(claim, {
      reason: 'Provisioning',
      message: `External provisioner is provisioning volume for claim "${metadata.namespace ?? ''}/${metadata.name}"`,
      by: 'rancher.io/local-path',
    });
    this.state.timeline.after(PROVISION_SECONDS, () => {
      const current = this.state.current(CLAIMS, claim);
      if (current) this.bind(current);
    });
  }

  private bind(claim: VolumeClaim): void {
    const { namespace, name, uid = '' } = claim.metadata;
    const volumeName = `pvc-${uid}`;
    const storage = claim.spec?.resources?.requests?.['storage'] ?? '1Gi';
    const accessModes = claim.spec?.accessModes ?? ['ReadWriteOnce'];
    this.state.create<Volume>('persistentvolumes', {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: {
        name: volumeName,
        annotations: { 'pv.kubernetes.io/provisioned-by': 'rancher.io/local-path' },
        finalizers: ['kubernetes.io/pv-protection'],
      },
      spec: {
        accessModes,
        capacity: { storage },
        claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
        hostPath: {
          path: `/var/local-path-provisioner/${volumeName}_${namespace ?? ''}_${name}`,
          type: 'DirectoryOrCreate',
        },
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: 'standard',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Bound' },
    });
    this.state.update<VolumeClaim>(CLAIMS, claim, {
      spec: { ...claim.spec, volumeName },
      status: { phase: 'Bound', accessModes, capacity: { storage } },
    });
  }
}

function claimsOf(pod: Pod | undefined): string[] {
  return (pod?.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => {
    const { claimName } = (persistentVolumeClaim ?? {}) as { claimName?: string };
    return claimName === undefined ? [] : [claimName];
  });
}
