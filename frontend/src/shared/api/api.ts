import { HttpClient, type HttpEvent, type HttpResponse, HttpXhrBackend } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom, type Observable } from 'rxjs';
import type {
  CancellationDto,
  ClearedJobsDto,
  CloneCheckDto,
  CloneClusterDto,
  ClusterCheckDto,
  ClusterDto,
  ConfigCheckDto,
  ConfigDto,
  ConfigTextDto,
  ClusterImagesDto,
  CreateClusterDto,
  DeletionDto,
  DiagnosticsDto,
  DiskUsageDto,
  EngineImageDto,
  HealthDto,
  JobDto,
  JobReferenceDto,
  JobWithLogDto,
  JournalOutcome,
  JournalPageDto,
  KubeconfigMergeDto,
  ProvisionLogDto,
  SavedConfigDto,
  PruneDto,
  RecreationCheckDto,
  StatsDto,
  VersionsDto,
} from './api-types';

export const API = '/api/v1';

/** Which cluster: its name, and the engine, as two engines may hold one name. */
export interface ClusterKey {
  name: string;
  runtime: string;
}

/** From where a kubeconfig reaches its cluster: this machine, or a container by either of two ways. */
export type KubeconfigVariant = 'machine' | 'host' | 'network';

/** The name of a saved kubeconfig, as the server gives it to downloads too. */
export function kubeconfigName({ name }: Pick<ClusterKey, 'name'>, variant: KubeconfigVariant): string {
  return variant === 'machine' ? `${name}.kubeconfig.yaml` : `${name}.${variant}.kubeconfig.yaml`;
}

/** A config with the ETag of its text, which a change of it names. */
export type Tagged<T> = T & { etag: string };

/** Jobs that are asked for by a route of their name. */
/** `start` keeps the nodes; `reapply` is a start that makes them again from a changed config. */
export type ClusterChange = 'start' | 'reapply' | 'stop' | 'pause' | 'unpause' | 'recreate';

export interface JournalFilter {
  limit?: number;
  offset?: number;
  cluster?: string;
  runtime?: string;
  kind?: string;
  outcome?: JournalOutcome;
  text?: string;
  actor?: string;
  since?: string;
  until?: string;
}

/** The address of what belongs to a cluster, for calls and for download links. */
export function clusterUrl({ name, runtime }: ClusterKey, part = ''): string {
  return `${API}/clusters/${encodeURIComponent(name)}${part}?runtime=${encodeURIComponent(runtime)}`;
}

/** The address of what belongs to a pod. */
export function podUrl(key: ClusterKey, namespace: string, pod: string, part: string): string {
  return clusterUrl(key, `/pods/${encodeURIComponent(namespace)}/${encodeURIComponent(pod)}${part}`);
}

/** The page of a cluster: the engine is in the address, since two engines may hold one name. */
export function clusterPage({ name, runtime }: ClusterKey): { path: string[]; query: { runtime: string } } {
  return { path: ['/cluster', name], query: { runtime } };
}

/** Typed calls of the API. Each rejects with an `ApiProblem`. */
@Service()
export class Api {
  private readonly http = inject(HttpClient);
  /** The other way of the browser to ask: only it tells how much of a body was sent. */
  private readonly uploads = new HttpClient(inject(HttpXhrBackend));

  clusters(): Promise<ClusterDto[]> {
    return once(this.http.get<ClusterDto[]>(`${API}/clusters`));
  }

  cluster(key: ClusterKey): Promise<ClusterDto> {
    return once(this.http.get<ClusterDto>(clusterUrl(key)));
  }

  createCluster(request: Partial<CreateClusterDto>): Promise<JobReferenceDto> {
    return once(this.http.post<JobReferenceDto>(`${API}/clusters`, request));
  }

  checkCluster(request: Partial<CreateClusterDto>): Promise<ClusterCheckDto> {
    return once(this.http.post<ClusterCheckDto>(`${API}/clusters/check`, request));
  }

  /** What making a cluster anew would cost, by a recreation or by a start with a changed config. */
  checkRecreation(key: ClusterKey): Promise<RecreationCheckDto> {
    return once(this.http.get<RecreationCheckDto>(clusterUrl(key, '/recreate/check')));
  }

  /** Of a cluster as a whole: `start`, `stop` and the like. Answers with the job that does it. */
  changeCluster(key: ClusterKey, change: ClusterChange): Promise<JobReferenceDto> {
    const path = change === 'reapply' ? '/start' : `/${change}`;
    const params: Record<string, string> = change === 'start' ? { keep_nodes: 'true' } : {};
    return once(this.http.post<JobReferenceDto>(clusterUrl(key, path), {}, { params }));
  }

  /** Answers with the job instead where the deletion takes longer than half a minute. */
  deleteCluster(key: ClusterKey): Promise<DeletionDto | JobReferenceDto> {
    return once(this.http.delete<DeletionDto | JobReferenceDto>(clusterUrl(key)));
  }

  /** The saved config. */
  async config(key: ClusterKey): Promise<Tagged<ConfigDto>> {
    return tagged(await once(this.http.get<ConfigDto>(clusterUrl(key, '/config'), WHOLE_ANSWER)));
  }

  /** What the cluster was made from. */
  appliedConfig(key: ClusterKey): Promise<ConfigDto> {
    return once(this.http.get<ConfigDto>(clusterUrl(key, '/config/applied')));
  }

  checkConfig(key: ClusterKey, config: string): Promise<ConfigCheckDto> {
    return once(this.http.post<ConfigCheckDto>(clusterUrl(key, '/config/check'), { config }));
  }

  /** @param etag of the config that is replaced; refused with `precondition_failed` where it is another by now */
  async saveConfig(key: ClusterKey, change: ConfigTextDto, etag: string): Promise<Tagged<SavedConfigDto>> {
    const options = { ...WHOLE_ANSWER, headers: { 'if-match': etag } };
    return tagged(await once(this.http.put<SavedConfigDto>(clusterUrl(key, '/config'), change, options)));
  }

  /** The JSON Schema of kind's configs. */
  configSchema<TSchema>(key: ClusterKey): Promise<TSchema> {
    return once(this.http.get<TSchema>(clusterUrl(key, '/config/schema')));
  }

  provisionLog(key: ClusterKey): Promise<ProvisionLogDto> {
    return once(this.http.get<ProvisionLogDto>(clusterUrl(key, '/provision-log')));
  }

  kubeconfig(key: ClusterKey, variant: KubeconfigVariant): Promise<string> {
    const url =
      variant === 'machine'
        ? clusterUrl(key, '/kubeconfig')
        : `${clusterUrl(key, '/kubeconfig/docker')}&variant=${variant}`;
    return once(this.http.get(url, { responseType: 'text' }));
  }

  kubeconfigMerge(key: ClusterKey): Promise<KubeconfigMergeDto> {
    return once(this.http.get<KubeconfigMergeDto>(clusterUrl(key, '/kubeconfig/merge')));
  }

  mergeKubeconfig(key: ClusterKey, setCurrent: boolean): Promise<KubeconfigMergeDto> {
    const body = { set_current: setCurrent };
    return once(this.http.post<KubeconfigMergeDto>(clusterUrl(key, '/kubeconfig/merge'), body));
  }

  unmergeKubeconfig(key: ClusterKey): Promise<KubeconfigMergeDto> {
    return once(this.http.delete<KubeconfigMergeDto>(clusterUrl(key, '/kubeconfig/merge')));
  }

  /** A gzipped tar of what the nodes and their pods logged. */
  nodeLogs(key: ClusterKey): Promise<Blob> {
    return once(this.http.get(clusterUrl(key, '/node-logs'), { responseType: 'blob' }));
  }

  /** What would become of a clone; changes nothing. */
  checkClone(key: ClusterKey, request: CloneClusterDto): Promise<CloneCheckDto> {
    return once(this.http.post<CloneCheckDto>(clusterUrl(key, '/clone/check'), request));
  }

  cloneCluster(key: ClusterKey, request: CloneClusterDto): Promise<JobReferenceDto> {
    return once(this.http.post<JobReferenceDto>(clusterUrl(key, '/clone'), request));
  }

  /** What an engine holds. */
  images(runtime: string): Promise<EngineImageDto[]> {
    return once(this.http.get<EngineImageDto[]>(`${API}/images`, { params: { runtime } }));
  }

  /** What the nodes of a cluster hold. */
  clusterImages(key: ClusterKey): Promise<ClusterImagesDto> {
    return once(this.http.get<ClusterImagesDto>(clusterUrl(key, '/images')));
  }

  loadImages(key: ClusterKey, images: string[]): Promise<JobReferenceDto> {
    return once(this.http.post<JobReferenceDto>(clusterUrl(key, '/images/load'), { images }));
  }

  /** Sends an image archive, telling how far it is; the last event is the answer. Fails with an `HttpErrorResponse`. */
  uploadArchive(key: ClusterKey, archive: File): Observable<HttpEvent<JobReferenceDto>> {
    return this.uploads.post<JobReferenceDto>(clusterUrl(key, '/images/upload'), archive, {
      headers: { 'content-type': 'application/x-tar' },
      observe: 'events',
      reportUploadProgress: true,
    });
  }

  diskUsage(): Promise<DiskUsageDto[]> {
    return once(this.http.get<DiskUsageDto[]>(`${API}/images/usage`));
  }

  prune(request: PruneDto): Promise<JobReferenceDto> {
    return once(this.http.post<JobReferenceDto>(`${API}/images/prune`, request));
  }

  jobs(): Promise<JobDto[]> {
    return once(this.http.get<JobDto[]>(`${API}/jobs`));
  }

  /** With the lines of its log that came after `logAfter`. */
  job(id: number, logAfter = 0): Promise<JobWithLogDto> {
    return once(this.http.get<JobWithLogDto>(`${API}/jobs/${id}`, { params: { log_after: logAfter } }));
  }

  cancelJob(id: number): Promise<CancellationDto> {
    return once(this.http.post<CancellationDto>(`${API}/jobs/${id}/cancel`, {}));
  }

  clearJobs(): Promise<ClearedJobsDto> {
    return once(this.http.delete<ClearedJobsDto>(`${API}/jobs`));
  }

  journal(filter: JournalFilter): Promise<JournalPageDto> {
    return once(this.http.get<JournalPageDto>(`${API}/journal/recent`, { params: { ...filter } }));
  }

  stats(): Promise<StatsDto> {
    return once(this.http.get<StatsDto>(`${API}/stats`));
  }

  versions(): Promise<VersionsDto> {
    return once(this.http.get<VersionsDto>(`${API}/versions`));
  }

  diagnostics(): Promise<DiagnosticsDto> {
    return once(this.http.get<DiagnosticsDto>(`${API}/diagnostics`));
  }

  /** A gzipped tar of all that somebody who is to help would ask for. */
  supportBundle(): Promise<Blob> {
    return once(this.http.get(`${API}/diagnostics/bundle`, { responseType: 'blob' }));
  }

  health(): Promise<HealthDto> {
    return once(this.http.get<HealthDto>(`${API}/health`));
  }

  readme(): Promise<string> {
    return once(this.http.get(`${API}/docs/readme`, { responseType: 'text' }));
  }
}

function once<T>(answer: Observable<T>): Promise<T> {
  return firstValueFrom(answer);
}

const WHOLE_ANSWER = { observe: 'response' } as const;

function tagged<T extends object>({ body, headers }: HttpResponse<T>): Tagged<T> {
  return { ...(body as T), etag: headers.get('etag') ?? '' };
}
