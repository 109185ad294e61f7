import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { LineDto } from '../../../shared/api/api-types';
import type { MergedPage } from '../../../shared/lines/log-line';

/** All of one line, with what could be read from it. */
export interface LineDetail extends LineDto {
  format: 'json' | 'logfmt' | null;
  fields: Record<string, string>;
  /** Within its source. */
  position: number;
}

/** Where a page of merged lines is: from a position on, around a time or a line, or at the end. */
export type PagePlace = { position: number } | { at: string } | { source: number; seq: number } | 'end';

/** Calls for lines. Each rejects with an `ApiProblem`. */
@Service()
export class LinesApi {
  private readonly http = inject(HttpClient);

  merged(sources: readonly number[], place: PagePlace, limit: number): Promise<MergedPage> {
    const where = place === 'end' ? {} : place;
    const params = { sources: sources.join(','), limit, ...where };
    return firstValueFrom(this.http.get<MergedPage>('/api/lines', { params }));
  }

  line(source: number, seq: number): Promise<LineDetail> {
    return firstValueFrom(this.http.get<LineDetail>(`/api/sources/${source}/lines/${seq}`));
  }
}
