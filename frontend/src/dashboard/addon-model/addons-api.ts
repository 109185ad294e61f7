import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom as once } from 'rxjs';
import { API, clusterUrl, type ClusterKey } from '../../shared/api/api';
import type {
  AddonCatalogDto,
  AddonOperationDto,
  AddRepositoryDto,
  CatalogEntryDto,
  ChartDto,
  ChartQueryDto,
  AddonForwardDto,
  InstallAddonDto,
  OfferedChartsDto,
  ReleaseDetailsDto,
  ReleaseDto,
  RepositoryDto,
  UpgradeAddonDto,
} from '../../shared/api/api-types';

/** Identifies a release: names are unique per namespace. */
export type ReleaseName = Pick<ReleaseDto, 'release' | 'namespace'>;

/** Addon calls of the API. Each rejects with an `ApiProblem`. */
@Service()
export class AddonsApi {
  private readonly http = inject(HttpClient);

  /** @param kubernetes version that addons must support; null if unknown */
  offered(kubernetes: string | null): Promise<CatalogEntryDto[]> {
    const params: Record<string, string> = kubernetes === null ? {} : { kubernetes };
    return once(this.http.get<CatalogEntryDto[]>(`${API}/addons`, { params }));
  }

  catalog(key: ClusterKey): Promise<AddonCatalogDto> {
    return once(this.http.get<AddonCatalogDto>(clusterUrl(key, '/addons')));
  }

  /** @param counted include the ready and total resources of each release, which takes longer */
  installed(key: ClusterKey, counted = false): Promise<ReleaseDto[]> {
    const params: Record<string, boolean> = counted ? { resources: true } : {};
    return once(this.http.get<ReleaseDto[]>(clusterUrl(key, '/addons/installed'), { params }));
  }

  release(key: ClusterKey, name: ReleaseName): Promise<ReleaseDetailsDto> {
    return once(this.http.get<ReleaseDetailsDto>(releaseUrl(key, name), { params: inNamespace(name) }));
  }

  chart(key: ClusterKey, choice: ChartQueryDto): Promise<ChartDto> {
    return once(this.http.get<ChartDto>(clusterUrl(key, '/addons/charts'), { params: { ...choice } }));
  }

  install(key: ClusterKey, request: InstallAddonDto): Promise<AddonOperationDto> {
    return once(this.http.post<AddonOperationDto>(clusterUrl(key, '/addons'), request));
  }

  upgrade(key: ClusterKey, name: ReleaseName, request: UpgradeAddonDto): Promise<AddonOperationDto> {
    const params = inNamespace(name);
    return once(this.http.put<AddonOperationDto>(releaseUrl(key, name), request, { params }));
  }

  rollback(key: ClusterKey, name: ReleaseName, revision: number): Promise<AddonOperationDto> {
    const url = releaseUrl(key, name, '/rollback');
    return once(this.http.post<AddonOperationDto>(url, { revision }, { params: inNamespace(name) }));
  }

  uninstall(key: ClusterKey, name: ReleaseName): Promise<AddonOperationDto> {
    return once(this.http.delete<AddonOperationDto>(releaseUrl(key, name), { params: inNamespace(name) }));
  }

  /** @param chart a package as `helm package` writes it */
  upload(key: ClusterKey, chart: File): Promise<ChartDto> {
    const headers = { 'content-type': 'application/gzip' };
    return once(this.http.post<ChartDto>(clusterUrl(key, '/addons/charts'), chart, { headers }));
  }

  repositories(key: ClusterKey): Promise<RepositoryDto[]> {
    return once(this.http.get<RepositoryDto[]>(clusterUrl(key, '/addons/repositories')));
  }

  addRepository(key: ClusterKey, request: AddRepositoryDto): Promise<RepositoryDto> {
    return once(this.http.post<RepositoryDto>(clusterUrl(key, '/addons/repositories'), request));
  }

  removeRepository(key: ClusterKey, name: string): Promise<RepositoryDto[]> {
    return once(this.http.delete<RepositoryDto[]>(repositoryUrl(key, name)));
  }

  charts(key: ClusterKey, repository: string, search: string): Promise<OfferedChartsDto> {
    const params: Record<string, string> = search.trim() === '' ? {} : { search: search.trim() };
    return once(this.http.get<OfferedChartsDto>(repositoryUrl(key, repository), { params }));
  }

  /** Opens a port-forward to a web page of a release, or gets a new link to an open one. Without a service, the server picks the likeliest. */
  forward(
    key: ClusterKey,
    name: ReleaseName,
    to: { service?: string; port?: number } = {},
  ): Promise<AddonForwardDto> {
    const url = releaseUrl(key, name, '/forward');
    return once(this.http.post<AddonForwardDto>(url, to, { params: inNamespace(name) }));
  }

  forwards(key: ClusterKey): Promise<AddonForwardDto[]> {
    return once(this.http.get<AddonForwardDto[]>(clusterUrl(key, '/addons/forwards')));
  }

  closeForward(key: ClusterKey, id: string): Promise<unknown> {
    return once(this.http.delete(clusterUrl(key, `/addons/forwards/${encodeURIComponent(id)}`)));
  }
}

function releaseUrl(key: ClusterKey, { release }: ReleaseName, part = ''): string {
  return clusterUrl(key, `/addons/${encodeURIComponent(release)}${part}`);
}

function repositoryUrl(key: ClusterKey, name: string): string {
  return clusterUrl(key, `/addons/repositories/${encodeURIComponent(name)}`);
}

function inNamespace({ namespace }: ReleaseName): { namespace: string } {
  return { namespace };
}
