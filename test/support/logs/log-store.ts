import { createHash } from 'node:crypto';
import type { LogSearch, LogStore, SearchEvent } from '../../../backend/src/drivers/log-store/index.js';
import { newLine, searchOf } from './lines.js';

export { identityOf, newLine, NO_LIMITS, searchOf, START } from './lines.js';

export interface SearchResult {
  events: SearchEvent[];
  matches: (SearchEvent & { type: 'match' })[];
  texts: string[];
  /** Undefined if the search was aborted. */
  end: (SearchEvent & { type: 'end' }) | undefined;
}

/** Runs a search to its end. */
export async function findIn(
  store: LogStore,
  search: Partial<LogSearch>,
  signal = new AbortController().signal,
): Promise<SearchResult> {
  const events: SearchEvent[] = [];
  for await (const event of store.search(searchOf(search), signal)) events.push(event);
  const matches = events.filter((event) => event.type === 'match');
  return {
    events,
    matches,
    texts: matches.map(({ line }) => line.text),
    end: events.find((event) => event.type === 'end'),
  };
}

/** Pseudorandom numbers that are the same for the same seed. */
export class Random {
  constructor(private state: number) {}

  /** A number from 0 up to, but not including, 1. */
  next(): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.state / 2 ** 32;
  }

  /** An integer from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  of<TItem>(items: readonly TItem[]): TItem {
    return items[Math.floor(this.next() * items.length)] as TItem;
  }

  /** Text that compression does not shorten by much. */
  text(length: number): string {
    const hash = createHash('shake256', { outputLength: length });
    return hash.update(String(this.next())).digest('base64url').slice(0, length);
  }
}

export const NUMBERED_BYTES = 1000;
const BATCH = 100;

/** The text of a line that `writeLines` wrote. */
export function numberedText(seq: number): string {
  return new Random(seq).text(NUMBERED_BYTES);
}

/** Appends so many lines, a microsecond apart, and writes them to the disk. */
export async function writeLines(store: LogStore, id: number, lines: number, time: number): Promise<void> {
  const first = store.extent(id)?.nextSeq ?? 1;
  for (let index = 0; index < lines; index += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, lines - index) }, (_, add) =>
      newLine(numberedText(first + index + add), time + index + add),
    );
    store.append(id, batch);
    await store.room();
  }
  await store.flush();
}
