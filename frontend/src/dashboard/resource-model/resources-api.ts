import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom as once } from 'rxjs';
import { API, clusterUrl, podUrl, type ClusterKey } from '../../shared/api/api';
import type {
  ChangedImagesDto,
  ChangedResourceDto,
  ChangeImagesDto,
  DiagnosisDto,
  DrainDto,
  EffectDto,
  EffectsDto,
  ExposeDto,
  ExposedDto,
  JobReferenceDto,
  Overview,
  PodContainersDto,
  PodUsageDto,
  PropagationName,
  RemovedResourceDto,
  ReplacedResourceDto,
  ResourceObjectDto,
  ResourceTableDto,
  ResourceTypeDto,
  RestartedPodDto,
  RevealedValueDto,
  RolloutDto,
  SearchResponseDto,
  UndoneRolloutDto,
} from '../../shared/api/api-types';
import type { Schema } from '../yaml/json-schema';
import type { ObjectName, TypeName } from './resource-address';

export interface TableQuery {
  limit?: number;
  continue?: string;
  namespace?: string;
  label_selector?: string;
  field_selector?: string;
}

/** Resource calls of the API. Each rejects with an `ApiProblem`. */
@Service()
export class ResourcesApi {
  private readonly http = inject(HttpClient);

  /** @param namespaces empty for all */
  overview(key: ClusterKey, limit: number, namespaces: readonly string[]): Promise<Overview> {
    const params = { limit, ...(namespaces.length > 0 && { namespace: namespaces.join() }) };
    return once(this.http.get<Overview>(clusterUrl(key, '/overview'), { params }));
  }

  types(key: ClusterKey): Promise<ResourceTypeDto[]> {
    return once(this.http.get<ResourceTypeDto[]>(clusterUrl(key, '/resources')));
  }

  schema(key: ClusterKey, { group, version, plural }: TypeName): Promise<Schema> {
    const path = [group, version, plural].map(encodeURIComponent).join('/');
    return once(this.http.get<Schema>(clusterUrl(key, `/schemas/${path}`)));
  }

  table(key: ClusterKey, type: TypeName, query: TableQuery): Promise<ResourceTableDto> {
    return once(this.http.get<ResourceTableDto>(typeUrl(key, type), { params: { ...query } }));
  }

  object(key: ClusterKey, object: ObjectName): Promise<ResourceObjectDto> {
    return once(this.http.get<ResourceObjectDto>(objectUrl(key, object), { params: inNamespace(object) }));
  }

  events(key: ClusterKey, object: ObjectName): Promise<ResourceTableDto> {
    const url = objectUrl(key, object, '/events');
    return once(this.http.get<ResourceTableDto>(url, { params: inNamespace(object) }));
  }

  diagnosis(key: ClusterKey, object: ObjectName): Promise<DiagnosisDto> {
    const url = objectUrl(key, object, '/diagnosis');
    return once(this.http.get<DiagnosisDto>(url, { params: inNamespace(object) }));
  }

  containers(key: ClusterKey, namespace: string, pod: string): Promise<PodContainersDto> {
    return once(this.http.get<PodContainersDto>(podUrl(key, namespace, pod, '/containers')));
  }

  /** Of all Pods of a cluster; empty without metrics-server. */
  podUsages(key: ClusterKey): Promise<PodUsageDto[]> {
    return once(this.http.get<PodUsageDto[]>(clusterUrl(key, '/pods/usage')));
  }

  /** @param dryRun server-side dry run, including admission */
  replace(key: ClusterKey, object: ObjectName, yaml: string, dryRun: boolean): Promise<ReplacedResourceDto> {
    const params = { ...inNamespace(object), dry_run: dryRun };
    return once(this.http.put<ReplacedResourceDto>(objectUrl(key, object), { yaml }, { params }));
  }

  remove(
    key: ClusterKey,
    object: ObjectName,
    options: { propagation: PropagationName; grace_period_seconds?: number },
  ): Promise<RemovedResourceDto> {
    const params = { ...inNamespace(object), ...options };
    return once(this.http.delete<RemovedResourceDto>(objectUrl(key, object), { params }));
  }

  /** Previews a change of up to 100 objects, in their order. Changes nothing. */
  effects(key: ClusterKey, type: TypeName, request: EffectsDto): Promise<EffectDto[]> {
    return once(this.http.post<EffectDto[]>(typeUrl(key, type, '/effects'), request));
  }

  scale(key: ClusterKey, object: ObjectName, replicas: number): Promise<ChangedResourceDto> {
    const url = objectUrl(key, object, '/scale');
    return once(this.http.post<ChangedResourceDto>(url, { replicas }, { params: inNamespace(object) }));
  }

  restart(key: ClusterKey, object: ObjectName): Promise<ChangedResourceDto> {
    const url = objectUrl(key, object, '/restart');
    return once(this.http.post<ChangedResourceDto>(url, {}, { params: inNamespace(object) }));
  }

  rollout(key: ClusterKey, object: ObjectName): Promise<RolloutDto> {
    const url = objectUrl(key, object, '/rollout');
    return once(this.http.get<RolloutDto>(url, { params: inNamespace(object) }));
  }

  /** @param revision by default the one before the current one */
  undoRollout(
    key: ClusterKey,
    object: ObjectName,
    { revision, dryRun = false }: { revision?: number; dryRun?: boolean },
  ): Promise<UndoneRolloutDto> {
    const url = objectUrl(key, object, '/rollout/undo');
    const params = { ...inNamespace(object), dry_run: dryRun };
    return once(this.http.post<UndoneRolloutDto>(url, { revision }, { params }));
  }

  pauseRollout(key: ClusterKey, object: ObjectName, paused: boolean): Promise<ChangedResourceDto> {
    const url = objectUrl(key, object, paused ? '/rollout/pause' : '/rollout/resume');
    return once(this.http.post<ChangedResourceDto>(url, {}, { params: inNamespace(object) }));
  }

  changeImages(
    key: ClusterKey,
    object: ObjectName,
    { request, dryRun }: { request: ChangeImagesDto; dryRun: boolean },
  ): Promise<ChangedImagesDto> {
    const params = { ...inNamespace(object), dry_run: dryRun };
    return once(this.http.post<ChangedImagesDto>(objectUrl(key, object, '/image'), request, { params }));
  }

  expose(
    key: ClusterKey,
    object: ObjectName,
    { request, dryRun }: { request: ExposeDto; dryRun: boolean },
  ): Promise<ExposedDto> {
    const params = { ...inNamespace(object), dry_run: dryRun };
    return once(this.http.post<ExposedDto>(objectUrl(key, object, '/expose'), request, { params }));
  }

  /** Runs a CronJob now, or suspends or resumes a CronJob or Job. */
  runOrSuspend(
    key: ClusterKey,
    object: ObjectName,
    action: 'run' | 'suspend' | 'resume',
  ): Promise<ChangedResourceDto> {
    const url = objectUrl(key, object, `/${action}`);
    return once(this.http.post<ChangedResourceDto>(url, {}, { params: inNamespace(object) }));
  }

  cordon(key: ClusterKey, node: ObjectName, cordoned: boolean): Promise<ChangedResourceDto> {
    return once(
      this.http.post<ChangedResourceDto>(objectUrl(key, node, cordoned ? '/cordon' : '/uncordon'), {}),
    );
  }

  drain(key: ClusterKey, node: ObjectName, request: DrainDto): Promise<JobReferenceDto> {
    return once(this.http.post<JobReferenceDto>(objectUrl(key, node, '/drain'), request));
  }

  restartPod(
    key: ClusterKey,
    { namespace, name }: Pick<ObjectName, 'namespace' | 'name'>,
    options: { force?: boolean; dry_run?: boolean },
  ): Promise<RestartedPodDto> {
    const request = { namespace, name, ...options };
    return once(this.http.post<RestartedPodDto>(clusterUrl(key, '/pods/restart'), request));
  }

  /** One value of a Secret. The journal records it. */
  reveal(key: ClusterKey, secret: ObjectName, entry: string): Promise<RevealedValueDto> {
    const url = objectUrl(key, secret, '/reveal');
    return once(this.http.post<RevealedValueDto>(url, { key: entry }, { params: inNamespace(secret) }));
  }

  /** Searches object names in one cluster, or in all that can be reached. */
  find(text: string, limit: number, key?: ClusterKey): Promise<SearchResponseDto> {
    const where = key && { cluster: key.name, runtime: key.runtime };
    return once(this.http.get<SearchResponseDto>(`${API}/search`, { params: { q: text, limit, ...where } }));
  }
}

function typeUrl(key: ClusterKey, { group, version, plural }: TypeName, rest = ''): string {
  const path = [group, version, plural].map(encodeURIComponent).join('/');
  return clusterUrl(key, `/resources/${path}${rest}`);
}

function objectUrl(key: ClusterKey, object: ObjectName, rest = ''): string {
  return typeUrl(key, object, `/${encodeURIComponent(object.name)}${rest}`);
}

function inNamespace({ namespace }: ObjectName): { namespace?: string } {
  return namespace === null ? {} : { namespace };
}
