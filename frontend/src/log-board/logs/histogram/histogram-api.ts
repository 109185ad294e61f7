import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import { filterParameters, type LogQuery } from '../query/log-query';

export interface HistogramBucket {
  time: string;
  total: number;
  levels: Record<string, number>;
}

export interface Histogram {
  from: string;
  to: string;
  bucket_seconds: number;
  buckets: HistogramBucket[];
  reason: 'complete' | 'timeout';
}

/** Counts over time. Rejects with an `ApiProblem`. */
@Service()
export class HistogramApi {
  private readonly http = inject(HttpClient);

  read(query: LogQuery, sources: readonly number[], buckets: number): Promise<Histogram> {
    const params = { ...filterParameters(query, sources), buckets };
    return firstValueFrom(this.http.get<Histogram>('/api/histogram', { params }));
  }
}
