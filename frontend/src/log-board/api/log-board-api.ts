import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom as once } from 'rxjs';
import type {
  AlertDto,
  AlertFiringDto,
  DeletedLinesDto,
  FieldValuesDto,
  HistogramDto,
  LineDetailDto,
  LinePatternsDto,
  LogSourceDto,
  LogStoreDto,
  MergedPageDto,
  SaveAlertDto,
  SavedSearchDto,
  SaveSearchDto,
} from '../../shared/api/api-types';
import { MAX_LINE_LENGTH } from '../../shared/lines/log-line';
import { filterParameters, type LogQuery, type SearchScope } from '../search-model/log-query';

/** Start of a page: a position, a time or line in its middle, or the end. */
export type PagePlace = { position: number } | { at: string } | { source: number; seq: number } | 'end';

/** Typed calls of the log board's API. Each rejects with an `ApiProblem`. */
@Service()
export class LogBoardApi {
  private readonly http = inject(HttpClient);

  alerts(): Promise<AlertDto[]> {
    return once(this.http.get<AlertDto[]>('/api/alerts'));
  }

  createAlert(request: SaveAlertDto): Promise<AlertDto> {
    return once(this.http.post<AlertDto>('/api/alerts', request));
  }

  updateAlert(id: number, request: SaveAlertDto): Promise<AlertDto> {
    return once(this.http.put<AlertDto>(`/api/alerts/${id}`, request));
  }

  deleteAlert(id: number): Promise<unknown> {
    return once(this.http.delete(`/api/alerts/${id}`));
  }

  testAlert(id: number): Promise<AlertFiringDto> {
    return once(this.http.post<AlertFiringDto>(`/api/alerts/${id}/test`, {}));
  }

  /** Newest first. */
  firings(alert: number): Promise<AlertFiringDto[]> {
    return once(this.http.get<AlertFiringDto[]>(`/api/alerts/${alert}/firings`));
  }

  savedSearches(): Promise<SavedSearchDto[]> {
    return once(this.http.get<SavedSearchDto[]>('/api/saved-searches'));
  }

  createSearch(request: SaveSearchDto): Promise<SavedSearchDto> {
    return once(this.http.post<SavedSearchDto>('/api/saved-searches', request));
  }

  updateSearch(id: number, request: SaveSearchDto): Promise<SavedSearchDto> {
    return once(this.http.put<SavedSearchDto>(`/api/saved-searches/${id}`, request));
  }

  deleteSearch(id: number): Promise<unknown> {
    return once(this.http.delete(`/api/saved-searches/${id}`));
  }

  sources(): Promise<LogSourceDto[]> {
    return once(this.http.get<LogSourceDto[]>('/api/sources'));
  }

  source(id: number): Promise<LogSourceDto> {
    return once(this.http.get<LogSourceDto>(`/api/sources/${id}`));
  }

  setCollected(source: number, collected: boolean): Promise<unknown> {
    return once(this.http.put(`/api/sources/${source}/intake`, { taken_in: collected }));
  }

  deleteHistory(source: number): Promise<DeletedLinesDto> {
    return once(this.http.delete<DeletedLinesDto>(`/api/sources/${source}/history`));
  }

  lines(sources: readonly number[], place: PagePlace, limit: number): Promise<MergedPageDto> {
    const where = place === 'end' ? {} : place;
    const params = { sources: sources.join(','), limit, longest: MAX_LINE_LENGTH, ...where };
    return once(this.http.get<MergedPageDto>('/api/lines', { params }));
  }

  line(source: number, seq: number): Promise<LineDetailDto> {
    return once(this.http.get<LineDetailDto>(`/api/sources/${source}/lines/${seq}`));
  }

  histogram(query: LogQuery, sources: SearchScope, buckets: number): Promise<HistogramDto> {
    const params = { ...filterParameters(query, sources), buckets };
    return once(this.http.get<HistogramDto>('/api/histogram', { params }));
  }

  /** Similar lines of a search, most frequent first. */
  patterns(query: LogQuery, sources: SearchScope): Promise<LinePatternsDto> {
    return once(
      this.http.get<LinePatternsDto>('/api/patterns', { params: filterParameters(query, sources) }),
    );
  }

  /** Most frequent values of a field in the lines of a search. */
  fieldValues(query: LogQuery, sources: SearchScope, name: string): Promise<FieldValuesDto> {
    const params = { ...filterParameters(query, sources), name };
    return once(this.http.get<FieldValuesDto>('/api/fields', { params }));
  }

  logStore(): Promise<LogStoreDto> {
    return once(this.http.get<LogStoreDto>('/api/log-store'));
  }
}
