import { computed, effect, signal, type Signal } from '@angular/core';
import { findHits, type Hit, joinHits, type LineMarks, textExpression } from '../../../shared/lines/hits';
import type { LogLine } from '../../../shared/lines/log-line';
import { RegexSearch } from './regex-search';
import type { LogQuery } from './log-query';

/** Lines that are looked through at once: more than a screen holds. Of more, those that were drawn last. */
const MOST_AT_ONCE = 200;
/** So many times an expression may take too long: some lines may be to blame, and not all of them. */
const MOST_DELAYS = 3;

type Marked = Pick<LogQuery, 'text' | 'regex' | 'matchCase' | 'marks'>;

/**
 * What is marked for a query: texts at once; what an expression finds a moment later, as it is looked for in a worker
 * and may take only so long.
 */
export class QueryMarks implements LineMarks {
  private readonly texts: readonly RegExp[];
  private readonly seeker: RegexSearch | null;
  private readonly known = new WeakMap<LogLine, readonly Hit[]>();
  private readonly waiting = new Map<LogLine, string>();
  private readonly changes = signal(0);
  private readonly trouble = signal<string | null>(null);
  private delays = 0;
  private isSeeking = false;
  private isClosed = false;

  /** Why there are hits that are not marked; null where there are none. */
  readonly unmarked = this.trouble.asReadonly();

  constructor(
    { text, regex, matchCase, marks }: Marked,
    seekerOf = (expression: string, isCased: boolean): RegexSearch =>
      new RegexSearch({ expression, matchCase: isCased }),
  ) {
    const plain = regex || text === '' ? [] : [textExpression(text, matchCase)];
    this.texts = [...plain, ...marks.map((mark) => textExpression(mark, false))];
    this.seeker = regex && text !== '' ? seekerOf(text, matchCase) : null;
  }

  hits(line: LogLine, text: string): readonly Hit[] {
    this.changes();
    let hits = this.known.get(line);
    if (!hits) {
      hits = joinHits(this.texts.map((expression) => findHits(text, expression)));
      this.known.set(line, hits);
      this.ask(line, text);
    }
    return hits;
  }

  close(): void {
    this.isClosed = true;
    this.waiting.clear();
    this.seeker?.close();
  }

  private ask(line: LogLine, text: string): void {
    if (!this.seeker || this.isClosed || this.delays >= MOST_DELAYS) return;
    this.waiting.set(line, text);
    // All rows of a screen go together.
    if (!this.isSeeking) queueMicrotask(() => void this.seekAll(this.seeker));
  }

  private async seekAll(seeker: RegexSearch | null): Promise<void> {
    if (!seeker || this.isSeeking) return;
    this.isSeeking = true;
    while (this.waiting.size > 0 && this.delays < MOST_DELAYS) {
      const waiting = [...this.waiting];
      this.waiting.clear();
      // Whoever still looks at those that are too many asks again.
      for (const [line] of waiting.splice(0, Math.max(0, waiting.length - MOST_AT_ONCE))) {
        this.known.delete(line);
      }
      const sought = await seeker.seek(waiting.map(([, text]) => text));
      if (this.isClosed) return;
      if (typeof sought === 'string') this.fail(sought);
      else waiting.forEach(([line], index) => this.add(line, sought[index] ?? []));
      this.changes.update((count) => count + 1);
    }
    this.isSeeking = false;
  }

  private add(line: LogLine, found: readonly Hit[]): void {
    const hits = this.known.get(line) ?? [];
    if (found.length > 0) this.known.set(line, joinHits([hits, found]));
  }

  private fail(reason: 'slow' | 'broken'): void {
    this.delays = reason === 'slow' ? this.delays + 1 : MOST_DELAYS;
    this.trouble.set(
      reason === 'slow'
        ? $localize`Not all matches are marked: the regular expression is too slow`
        : $localize`Matches are not marked: the browser does not support this regular expression`,
    );
  }
}

/** Those of a query that changes; null where there is nothing to mark. In an injection context. */
export function queryMarks(query: Signal<LogQuery>): Signal<QueryMarks | null> {
  const marked = computed<Marked>(
    () => {
      const { text, regex, matchCase, marks } = query();
      return { text, regex, matchCase, marks };
    },
    { equal: (one, other) => JSON.stringify(one) === JSON.stringify(other) },
  );
  const marks = computed(() => {
    const { text, marks: texts } = marked();
    return text === '' && texts.length === 0 ? null : new QueryMarks(marked());
  });
  effect((onCleanup) => {
    const current = marks();
    onCleanup(() => current?.close());
  });
  return marks;
}
