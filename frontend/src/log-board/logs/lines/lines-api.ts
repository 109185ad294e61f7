import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { LineDetailDto, MergedPageDto } from '../../../shared/api/api-types';
import { MAX_LINE_LENGTH } from '../../../shared/lines/log-line';

/** Start of a page: a position, a time or line in its middle, or the end. */
export type PagePlace = { position: number } | { at: string } | { source: number; seq: number } | 'end';

/** Loads lines. Calls reject with an `ApiProblem`. */
@Service()
export class LinesApi {
  private readonly http = inject(HttpClient);

  merged(sources: readonly number[], place: PagePlace, limit: number): Promise<MergedPageDto> {
    const where = place === 'end' ? {} : place;
    const params = { sources: sources.join(','), limit, longest: MAX_LINE_LENGTH, ...where };
    return firstValueFrom(this.http.get<MergedPageDto>('/api/lines', { params }));
  }

  line(source: number, seq: number): Promise<LineDetailDto> {
    return firstValueFrom(this.http.get<LineDetailDto>(`/api/sources/${source}/lines/${seq}`));
  }
}
