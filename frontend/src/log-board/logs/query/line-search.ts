import { inject, Service } from '@angular/core';
import { apiUrl } from '../../../shared/api/api';
import type { SearchesSearchData, SearchStreamEvent } from '../../../shared/api/api-types';
import { MAX_LINE_LENGTH } from '../../../shared/lines/log-line';
import { EventLines } from '../../../shared/live/event-lines';

export const MAX_MATCHES = 10_000;

@Service()
export class LineSearch {
  private readonly events = inject(EventLines);

  /** The events of a search, in the batches in which they arrive. @throws ApiProblem */
  run(
    parameters: NonNullable<SearchesSearchData['query']>,
    signal: AbortSignal,
  ): AsyncGenerator<SearchStreamEvent[]> {
    const url = apiUrl('/api/search', { ...parameters, longest: MAX_LINE_LENGTH });
    return this.events.read<SearchStreamEvent>(url, signal);
  }
}
