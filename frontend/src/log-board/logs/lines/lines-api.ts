import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { LineDetailDto, MergedPageDto } from '../../../shared/api/api-types';
import { LONGEST_KEPT } from '../../../shared/lines/log-line';

/** Where a page of merged lines is: from a position on, around a time or a line, or at the end. */
export type PagePlace = { position: number } | { at: string } | { source: number; seq: number } | 'end';

/** Calls for lines. Each rejects with an `ApiProblem`. */
@Service()
export class LinesApi {
  private readonly http = inject(HttpClient);

  merged(sources: readonly number[], place: PagePlace, limit: number): Promise<MergedPageDto> {
    const where = place === 'end' ? {} : place;
    const params = { sources: sources.join(','), limit, longest: LONGEST_KEPT, ...where };
    return firstValueFrom(this.http.get<MergedPageDto>('/api/lines', { params }));
  }

  line(source: number, seq: number): Promise<LineDetailDto> {
    return firstValueFrom(this.http.get<LineDetailDto>(`/api/sources/${source}/lines/${seq}`));
  }
}
