import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom as once } from 'rxjs';
import { clusterUrl, type ClusterKey } from '../../shared/api/api';
import type { ForwardDto, StartForwardDto } from '../../shared/api/api-types';

/** Calls of the API for port-forwards. Each rejects with an `ApiProblem`. */
@Service()
export class ForwardsApi {
  private readonly http = inject(HttpClient);

  list(key: ClusterKey): Promise<ForwardDto[]> {
    return once(this.http.get<ForwardDto[]>(clusterUrl(key, '/forwards')));
  }

  /** Also returns a port-forward that exists, with a new link. */
  start(key: ClusterKey, request: StartForwardDto): Promise<ForwardDto> {
    return once(this.http.post<ForwardDto>(clusterUrl(key, '/forwards'), request));
  }

  /** @returns the remaining ones */
  stop(key: ClusterKey, id: string): Promise<ForwardDto[]> {
    return once(this.http.delete<ForwardDto[]>(clusterUrl(key, `/forwards/${encodeURIComponent(id)}`)));
  }
}
