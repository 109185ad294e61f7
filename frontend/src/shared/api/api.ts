import { HttpClient, type HttpEvent, type HttpResponse, HttpXhrBackend } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom as once, type Observable } from 'rxjs';
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
  BundleContentDto,
  DiagnosticsDto,
  DiskUsageDto,
  DocumentationPageDto,
  EngineImageDto,
  HealthDto,
  JobDto,
  JobReferenceDto,
  JobWithLogDto,
  JournalQueryDto,
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

/** Identifies a cluster: names are unique per engine only. */
export interface ClusterKey {
  name: string;
  runtime: string;
}

/** Where a kubeconfig is used: on the host, or in a container by one of two addresses. */
export type KubeconfigVariant = 'machine' | 'host' | 'network';

/** File name of a downloaded kubeconfig; the server uses the same. */
export function kubeconfigName({ name }: Pick<ClusterKey, 'name'>, variant: KubeconfigVariant): string {
  return variant === 'machine' ? `${name}.kubeconfig.yaml` : `${name}.${variant}.kubeconfig.yaml`;
}

/** A config with its ETag, which an update must send. */
export type Tagged<T> = T & { etag: string };

/** `start` keeps the nodes; `reapply` recreates them from the changed config. */
export type ClusterChange = 'start' | 'reapply' | 'stop' | 'pause' | 'unpause' | 'recreate';

export type JournalFilter = Partial<JournalQueryDto>;

export function clusterUrl({ name, runtime }: ClusterKey, part = ''): string {
  return `${API}/clusters/${encodeURIComponent(name)}${part}?runtime=${encodeURIComponent(runtime)}`;
}

export function podUrl(key: ClusterKey, namespace: string, pod: string, part: string): string {
  return clusterUrl(key, `/pods/${encodeURIComponent(namespace)}/${encodeURIComponent(pod)}${part}`);
}

/** URL of a cluster's page, or of a page below it. */
export function clusterPage({ name, runtime }: ClusterKey, ...below: string[]): string {
  const path = [name, ...below].map(encodeURIComponent).join('/');
  return `/cluster/${path}?runtime=${encodeURIComponent(runtime)}`;
}

/** Typed calls of the API. Each rejects with an `ApiProblem`. */
@Service()
export class Api {
  private readonly http = inject(HttpClient);
  /** XMLHttpRequest instead of fetch: only it reports upload progress. */
  private readonly uploads = new HttpClient(inject(HttpXhrBackend));

  clusters(): Promise<ClusterDto[]> {
    return once(this.http.get<ClusterDto[]>(`${API}/clusters`));
  }

  createCluster(request: Partial<CreateClusterDto>): Promise<JobReferenceDto> {
    return once(this.http.post<JobReferenceDto>(`${API}/clusters`, request));
  }

  checkCluster(request: Partial<CreateClusterDto>): Promise<ClusterCheckDto> {
    return once(this.http.post<ClusterCheckDto>(`${API}/clusters/check`, request));
  }

  /** The data that recreating or reapplying a cluster would delete. */
  checkRecreation(key: ClusterKey): Promise<RecreationCheckDto> {
    return once(this.http.get<RecreationCheckDto>(clusterUrl(key, '/recreate/check')));
  }

  /** Actions on a whole cluster, such as `start`. @returns the job */
  changeCluster(key: ClusterKey, change: ClusterChange): Promise<JobReferenceDto> {
    const path = change === 'reapply' ? '/start' : `/${change}`;
    const params: Record<string, string> = change === 'start' ? { keep_nodes: 'true' } : {};
    return once(this.http.post<JobReferenceDto>(clusterUrl(key, path), {}, { params }));
  }

  /** @returns the job if the deletion takes longer than 30 s */
  deleteCluster(key: ClusterKey): Promise<DeletionDto | JobReferenceDto> {
    return once(this.http.delete<DeletionDto | JobReferenceDto>(clusterUrl(key)));
  }

  async config(key: ClusterKey): Promise<Tagged<ConfigDto>> {
    return tagged(await once(this.http.get<ConfigDto>(clusterUrl(key, '/config'), FULL_RESPONSE)));
  }

  /** The config that the cluster was created from. */
  appliedConfig(key: ClusterKey): Promise<ConfigDto> {
    return once(this.http.get<ConfigDto>(clusterUrl(key, '/config/applied')));
  }

  checkConfig(key: ClusterKey, config: string): Promise<ConfigCheckDto> {
    return once(this.http.post<ConfigCheckDto>(clusterUrl(key, '/config/check'), { config }));
  }

  /** @param etag of the replaced config; `precondition_failed` if it has changed */
  async saveConfig(key: ClusterKey, change: ConfigTextDto, etag: string): Promise<Tagged<SavedConfigDto>> {
    const options = { ...FULL_RESPONSE, headers: { 'if-match': etag } };
    return tagged(await once(this.http.put<SavedConfigDto>(clusterUrl(key, '/config'), change, options)));
  }

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

  /** A gzipped tar of node and pod logs. */
  nodeLogs(key: ClusterKey): Promise<Blob> {
    return once(this.http.get(clusterUrl(key, '/node-logs'), { responseType: 'blob' }));
  }

  checkClone(key: ClusterKey, request: CloneClusterDto): Promise<CloneCheckDto> {
    return once(this.http.post<CloneCheckDto>(clusterUrl(key, '/clone/check'), request));
  }

  cloneCluster(key: ClusterKey, request: CloneClusterDto): Promise<JobReferenceDto> {
    return once(this.http.post<JobReferenceDto>(clusterUrl(key, '/clone'), request));
  }

  images(runtime: string): Promise<EngineImageDto[]> {
    return once(this.http.get<EngineImageDto[]>(`${API}/images`, { params: { runtime } }));
  }

  clusterImages(key: ClusterKey): Promise<ClusterImagesDto> {
    return once(this.http.get<ClusterImagesDto>(clusterUrl(key, '/images')));
  }

  loadImages(key: ClusterKey, images: string[]): Promise<JobReferenceDto> {
    return once(this.http.post<JobReferenceDto>(clusterUrl(key, '/images/load'), { images }));
  }

  /** Uploads an image archive with progress events; the last event is the response. @throws HttpErrorResponse */
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

  /** The files of the support bundle, for a review before they are saved. */
  bundleContent(): Promise<BundleContentDto> {
    return once(this.http.get<BundleContentDto>(`${API}/diagnostics/bundle/content`));
  }

  /** A gzipped tar with the files that were shown last. */
  supportBundle(): Promise<Blob> {
    return once(this.http.get(`${API}/diagnostics/bundle?shown=true`, { responseType: 'blob' }));
  }

  health(): Promise<HealthDto> {
    return once(this.http.get<HealthDto>(`${API}/health`));
  }

  documentationPages(): Promise<DocumentationPageDto[]> {
    return once(this.http.get<DocumentationPageDto[]>(`${API}/docs`));
  }

  /** A page as Markdown. */
  documentationPage(name: string): Promise<string> {
    return once(this.http.get(`${API}/docs/${encodeURIComponent(name)}`, { responseType: 'text' }));
  }
}

const FULL_RESPONSE = { observe: 'response' } as const;

function tagged<T extends object>({ body, headers }: HttpResponse<T>): Tagged<T> {
  return { ...(body as T), etag: headers.get('etag') ?? '' };
}
