import { inject, Service } from '@angular/core';
import type { SearchStreamEvent } from '../../../shared/api/api-types';
import { MAX_LINE_LENGTH } from '../../../shared/lines/log-line';
import { EventLines } from '../../../shared/live/event-lines';

export const MAX_MATCHES = 10_000;

type Parameters = Readonly<Record<string, string | number | boolean | readonly string[]>>;

@Service()
export class LineSearch {
  private readonly events = inject(EventLines);

  /** The events of a search, in the batches in which they arrive. @throws ApiProblem */
  run(parameters: Parameters, signal: AbortSignal): AsyncGenerator<SearchStreamEvent[]> {
    const query = searchText({ ...parameters, longest: MAX_LINE_LENGTH });
    return this.events.read<SearchStreamEvent>(`/api/search?${query}`, signal);
  }
}

/** Parameters as a query string; lists become repeated parameters. */
function searchText(parameters: Parameters): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const part of typeof value === 'object' ? value : [value]) search.append(name, String(part));
  }
  return search.toString();
}
