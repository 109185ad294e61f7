import { computed, effect, signal, type Signal } from '@angular/core';
import { sameJson } from '../format/same-json';
import { findHits, type Hit, joinHits, type LineMarks, textRegex } from '../lines/hits';
import type { LogLine } from '../lines/log-line';
import { RegexSearch } from './regex-search';
import { conditionTexts, type LogQuery } from './log-query';

/** Lines searched at once: more than a screen shows. Of more, the last drawn ones. */
const MAX_AT_ONCE = 200;
/** Timeouts before the search gives up: a single line may cause one. */
const MAX_TIMEOUTS = 3;

type Marked = Pick<LogQuery, 'text' | 'regex' | 'matchCase' | 'conditions' | 'marks'>;

/**
 * The matches of a query: texts immediately; regex matches a moment later, because they are searched in a worker with
 * a time limit.
 */
export class QueryMarks implements LineMarks {
  private readonly texts: readonly RegExp[];
  private readonly search: RegexSearch | null;
  /** The text of a line depends on the view options. */
  private readonly cache = new WeakMap<LogLine, { text: string; hits: readonly Hit[] }>();
  private readonly waiting = new Map<LogLine, string>();
  private readonly changes = signal(0);
  private readonly failure = signal<string | null>(null);
  private timeouts = 0;
  private isSearching = false;
  private isClosed = false;

  /** Why matches are not marked; null if they are. */
  readonly unmarked = this.failure.asReadonly();

  constructor(
    { text, regex, matchCase, conditions, marks }: Marked,
    createSearch = (regex: string, isCaseSensitive: boolean): RegexSearch =>
      new RegexSearch({ regex, matchCase: isCaseSensitive }),
  ) {
    const plain = [...(regex || text === '' ? [] : [text]), ...conditionTexts({ conditions })];
    this.texts = [
      ...plain.map((each) => textRegex(each, matchCase)),
      ...marks.map((mark) => textRegex(mark, false)),
    ];
    this.search = regex && text !== '' ? createSearch(text, matchCase) : null;
  }

  hits(line: LogLine, text: string): readonly Hit[] {
    this.changes();
    const known = this.cache.get(line);
    if (known?.text === text) return known.hits;
    const hits = joinHits(this.texts.map((regex) => findHits(text, regex)));
    this.cache.set(line, { text, hits });
    this.enqueue(line, text);
    return hits;
  }

  close(): void {
    this.isClosed = true;
    this.waiting.clear();
    this.search?.close();
  }

  private enqueue(line: LogLine, text: string): void {
    if (!this.search || this.isClosed || this.timeouts >= MAX_TIMEOUTS) return;
    this.waiting.set(line, text);
    // Batches all rows of a screen.
    if (!this.isSearching) queueMicrotask(() => void this.searchAll(this.search));
  }

  private async searchAll(search: RegexSearch | null): Promise<void> {
    if (!search || this.isSearching) return;
    this.isSearching = true;
    while (this.waiting.size > 0 && this.timeouts < MAX_TIMEOUTS) {
      const waiting = [...this.waiting];
      this.waiting.clear();
      // Visible lines are requested again.
      for (const [line] of waiting.splice(0, Math.max(0, waiting.length - MAX_AT_ONCE))) {
        this.cache.delete(line);
      }
      const result = await search.run(waiting.map(([, text]) => text));
      if (this.isClosed) return;
      if (typeof result === 'string') this.fail(result);
      else waiting.forEach(([line, text], index) => this.add(line, text, result[index] ?? []));
      this.changes.update((count) => count + 1);
    }
    this.isSearching = false;
  }

  private add(line: LogLine, text: string, found: readonly Hit[]): void {
    const known = this.cache.get(line);
    if (found.length === 0 || known?.text !== text) return;
    this.cache.set(line, { text, hits: joinHits([known.hits, found]) });
  }

  private fail(reason: 'slow' | 'broken'): void {
    this.timeouts = reason === 'slow' ? this.timeouts + 1 : MAX_TIMEOUTS;
    this.failure.set(
      reason === 'slow'
        ? $localize`Not all matches are marked: the regular expression is too slow`
        : $localize`Matches are not marked: the browser does not support this regular expression`,
    );
  }
}

/** The marks of a changing query; null if it has none. Requires an injection context. */
export function createQueryMarks(query: Signal<LogQuery>): Signal<QueryMarks | null> {
  const marked = computed<Marked>(
    () => {
      const { text, regex, matchCase, conditions, marks } = query();
      return { text, regex, matchCase, conditions, marks };
    },
    { equal: sameJson },
  );
  const marks = computed(() => {
    const { text, conditions, marks: texts } = marked();
    return [text, conditions, texts].every(({ length }) => length === 0) ? null : new QueryMarks(marked());
  });
  effect((onCleanup) => {
    const current = marks();
    onCleanup(() => current?.close());
  });
  return marks;
}
