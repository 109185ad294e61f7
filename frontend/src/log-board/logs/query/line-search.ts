import { inject, Service } from '@angular/core';
import type { SearchStreamEvent } from '../../../shared/api/api-types';
import { EventLines } from '../../../shared/api/event-lines';
import { LONGEST_KEPT } from '../../../shared/lines/log-line';

/** Most matches of one answer; who wants older ones goes on behind the last. */
export const MOST_MATCHES = 10_000;

type Parameters = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Searches what is kept; what is found is told while it is looked for. */
@Service()
export class LineSearch {
  private readonly events = inject(EventLines);

  /** The events of a search, as many as came at once in each. @throws ApiProblem */
  run(parameters: Parameters, signal: AbortSignal): AsyncGenerator<SearchStreamEvent[]> {
    const query = searchText({ ...parameters, longest: LONGEST_KEPT });
    return this.events.read<SearchStreamEvent>(`/api/search?${query}`, signal);
  }
}

/** Parameters as an address holds them; a list is a name several times. */
export function searchText(parameters: Parameters): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const part of typeof value === 'object' ? value : [value]) search.append(name, String(part));
  }
  return search.toString();
}
