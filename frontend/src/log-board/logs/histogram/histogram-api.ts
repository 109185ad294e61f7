import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { HistogramDto } from '../../../shared/api/api-types';
import { filterParameters, type LogQuery } from '../query/log-query';

/** Counts over time. Rejects with an `ApiProblem`. */
@Service()
export class HistogramApi {
  private readonly http = inject(HttpClient);

  read(query: LogQuery, sources: readonly number[], buckets: number): Promise<HistogramDto> {
    const params = { ...filterParameters(query, sources), buckets };
    return firstValueFrom(this.http.get<HistogramDto>('/api/histogram', { params }));
  }
}
