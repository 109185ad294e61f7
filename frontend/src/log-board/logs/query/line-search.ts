import { inject, Service } from '@angular/core';
import type { LineDto } from '../../../shared/api/api-types';
import { EventLines } from '../../../shared/api/event-lines';

/** Most matches of one answer; who wants older ones goes on behind the last. */
export const MOST_MATCHES = 10_000;

export type SearchEnd = 'complete' | 'limit' | 'timeout';

export type SearchEvent =
  | { type: 'match'; line: LineDto }
  | { type: 'progress'; searched: number; time: string | null }
  | { type: 'end'; searched: number; matched: number; reason: SearchEnd; before: string | null };

type Parameters = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Searches what is kept; what is found is told while it is looked for. */
@Service()
export class LineSearch {
  private readonly events = inject(EventLines);

  /** The events of a search, as many as came at once in each. @throws ApiProblem */
  run(parameters: Parameters, signal: AbortSignal): AsyncGenerator<SearchEvent[]> {
    return this.events.read<SearchEvent>(`/api/search?${searchText(parameters)}`, signal);
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
