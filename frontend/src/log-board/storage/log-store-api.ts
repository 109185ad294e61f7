import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { LogStoreDto } from '../../shared/api/api-types';

/** Calls of the log store's API. Each may throw an ApiProblem. */
@Service()
export class LogStoreApi {
  private readonly http = inject(HttpClient);

  async read(): Promise<LogStoreDto> {
    return await firstValueFrom(this.http.get<LogStoreDto>('/api/log-store'));
  }
}
