import { Injectable } from '@nestjs/common';
import { DomainError, hasCode } from '../../../core/errors/index.js';
import { withTextForLongIntegers } from '../../../core/parsing/index.js';
import { isRecord } from '../../../core/values/index.js';
import {
  groupVersion,
  PODS,
  type KubernetesObject,
  type ResourceApi,
  type ResourceReference,
  type ResourceType,
  type TypeName,
} from '../../../drivers/kubernetes/index.js';
import { actionsOf, replicasOf } from './actions.js';
import type { OpenCluster } from '../common/cluster-resources.js';
import { hiddenKeys, hideSecrets } from '../manifests/hide-secrets.js';
import { yaml } from '../manifests/resource-yaml-process.js';
import type { OwnerReferenceDto, ResourceObjectDto } from '../common/object.dto.js';
import { claimsOf } from './claims-of.js';
import { presentGroup, presentType } from '../common/present-type.js';
import { referenceTo } from '../common/resource-parameters.js';
import type { ResourceReferenceDto, ResourceTableDto } from '../common/resource.dto.js';
import { listRows } from '../watch/printed-row.js';
import { newestFirst } from '../table/newest-first.js';

const MAX_EVENTS = 500;
const MAX_PODS = 1000;
const EVENTS: TypeName = { group: '', version: 'v1', plural: 'events' };

export interface FoundObject {
  type: ResourceType;
  reference: ResourceReference;
  object: KubernetesObject;
}

@Injectable()
export class ObjectsService {
  /** @throws DomainError as `ResourceApi.read`, `invalid_input` if a namespaced kind has no namespace */
  async find(api: ResourceApi, name: TypeName, object: string, namespace?: string): Promise<FoundObject> {
    const type = await api.type(name);
    const reference = referenceTo(type, object, namespace);
    return { type, reference, object: await api.read(reference) };
  }

  async present(api: ResourceApi, { type, reference, object }: FoundObject): Promise<ResourceObjectDto> {
    const { metadata } = object;
    const shown = hideSecrets(object);
    return {
      type: presentType(type),
      namespace: metadata.namespace ?? null,
      name: metadata.name,
      uid: metadata.uid ?? '',
      resource_version: metadata.resourceVersion ?? '',
      created_at: metadata.creationTimestamp ?? null,
      yaml: await yaml.manifestWithoutSecrets(object),
      spec: fieldsOf(withTextForLongIntegers(shown['spec'])),
      status: fieldsOf(withTextForLongIntegers(shown['status'])),
      hidden_keys: hiddenKeys(object),
      owners: ownersOf(object, (metadata.ownerReferences ?? []).length > 0 ? await api.types() : []),
      used_by: await usersOf(api, type, object),
      actions: actionsOf(type, object),
      replicas: await replicasOf(api, type, reference, object),
    };
  }

  /** Newest first, without those of a deleted object of the same name. The object itself may have been deleted. */
  async events(
    { api }: OpenCluster,
    name: TypeName,
    object: string,
    namespace?: string,
  ): Promise<ResourceTableDto> {
    const type = await api.type(name);
    const reference = referenceTo(type, object, namespace);
    const events = await api.type(EVENTS);
    const fieldSelector = [
      `involvedObject.kind=${type.kind}`,
      `involvedObject.name=${selectable(reference.name)}`,
      ...(await uidSelector(api, reference)),
    ].join(',');
    const { format, rows } = await listRows(api, events, MAX_EVENTS, {
      fieldSelector,
      ...(reference.namespace !== null && { namespace: reference.namespace }),
    });
    const now = Date.now();
    return {
      type: presentType(events),
      columns: format.shownColumns,
      rows: newestFirst(format, rows).map((row) => format.present(row, now, null)),
      total: rows.length,
      continue: null,
      position: null,
      usage: false,
    };
  }
}

function fieldsOf(value: unknown): object | null {
  return isRecord(value) ? value : null;
}

/** The Pods that mount a PersistentVolumeClaim. */
async function usersOf(
  api: ResourceApi,
  { group, plural }: ResourceType,
  { metadata: { namespace = '', name: claim } }: KubernetesObject,
): Promise<ResourceReferenceDto[]> {
  if (group !== '' || plural !== 'persistentvolumeclaims') return [];
  const pods = await api.list(PODS, { namespace, limit: MAX_PODS });
  return pods
    .filter((pod) => claimsOf(pod).includes(claim))
    .map(({ metadata: { name } }) => ({
      ...PODS,
      group: presentGroup(PODS.group),
      kind: 'Pod',
      namespace,
      name,
    }));
}

/** Empty for a deleted object, and for a node: its kubelet writes its name as the uid. */
async function uidSelector(api: ResourceApi, reference: ResourceReference): Promise<string[]> {
  if (reference.group === '' && reference.plural === 'nodes') return [];
  try {
    const { uid = '', annotations } = (await api.read(reference)).metadata;
    // The kubelet knows a static Pod by the uid of its manifest.
    return [`involvedObject.uid=${annotations?.['kubernetes.io/config.mirror'] ?? uid}`];
  } catch (error) {
    if (hasCode(error, 'resource_not_found')) return [];
    throw error;
  }
}

/** Names with the separators of a selector cannot be selected. */
function selectable(name: string): string {
  if (/[\\,=]/.test(name)) throw new DomainError('resource_not_found', 'The object does not exist.');
  return name;
}

function ownersOf({ metadata }: KubernetesObject, types: readonly ResourceType[]): OwnerReferenceDto[] {
  return (metadata.ownerReferences ?? []).map(({ apiVersion = '', kind, name, controller }) => {
    const { group, version } = groupVersion(apiVersion);
    const type = types.find((served) => served.group === group && served.kind === kind);
    return {
      group: presentGroup(group),
      version,
      plural: type?.plural ?? null,
      kind,
      namespace: type?.namespaced === true ? (metadata.namespace ?? null) : null,
      name,
      controller: controller === true,
    };
  });
}
