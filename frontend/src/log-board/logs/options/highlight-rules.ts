import { computed, effect, Service, signal, untracked } from '@angular/core';
import { readStored, store } from '../../../shared/browser/browser-storage';
import type { LogLine } from '../../../shared/lines/log-line';
import { QueryMarks } from '../../../shared/search/query-marks';

const KEY = 'slipway.log-highlights';
export const MAX_RULES = 10;
const MAX_LENGTH = 200;
/** Numbers of source colors. */
export const HIGHLIGHT_COLORS = [1, 2, 3, 4, 5, 6, 7, 8] as const;

export interface HighlightRule {
  text: string;
  regex: boolean;
  color: number;
}

/** Rules that color lines without hiding others, kept in the browser. The first matching rule applies. */
@Service()
export class HighlightRules {
  readonly rules = signal<readonly HighlightRule[]>(storedRules());
  /** A regex has the time limit of a search. */
  private readonly matchers = computed(() =>
    this.rules().map(({ text, regex, color }) => ({
      color,
      marks: new QueryMarks({ text, regex, matchCase: false, conditions: [], marks: [] }),
    })),
  );

  constructor() {
    effect((onCleanup) => {
      store(KEY, this.rules());
      const matchers = untracked(this.matchers);
      onCleanup(() => matchers.forEach(({ marks }) => marks.close()));
    });
  }

  /** The color of a line, or null. Reads signals: a regex is evaluated a moment later. */
  readonly colorOf = (line: LogLine, text: string): number | null =>
    this.matchers().find(({ marks }) => marks.hits(line, text).length > 0)?.color ?? null;
}

function storedRules(): HighlightRule[] {
  const stored = readStored(KEY);
  return Array.isArray(stored) ? stored.filter(isRule).slice(0, MAX_RULES) : [];
}

function isRule(value: unknown): value is HighlightRule {
  const { text, regex, color } = (value ?? {}) as Partial<Record<keyof HighlightRule, unknown>>;
  return (
    typeof text === 'string' &&
    text.length > 0 &&
    text.length <= MAX_LENGTH &&
    typeof regex === 'boolean' &&
    HIGHLIGHT_COLORS.some((one) => one === color)
  );
}
