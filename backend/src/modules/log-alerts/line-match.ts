import { fieldsOf, type LogLine } from '../../drivers/log-store/index.js';
import type { LineQuery } from './alert.js';
import type { Regex } from './match-texts.js';

type FieldPair = readonly [name: string, value: string];

const NEVER_ESCAPED = /^[\w.:-]*$/;

/** The query of a rule, compiled. Matching takes linear time: a regex is left to the thread. */
export class LineMatch {
  /** To be matched in a thread, on lines for which `fits` returns true. */
  readonly regex: Regex | null;
  private readonly levels: ReadonlySet<string> | null;
  private readonly text: string | null;
  private readonly without: readonly string[];
  private readonly fields: readonly FieldPair[];
  private readonly withoutFields: readonly FieldPair[];

  constructor(private readonly query: LineQuery) {
    this.levels = query.level.length > 0 ? new Set(query.level) : null;
    this.regex =
      query.regex && query.text !== null ? { source: query.text, flags: query.case ? '' : 'i' } : null;
    this.text = query.regex ? null : this.folded(query.text);
    this.without = query.without.map((text) => this.folded(text) ?? '');
    this.fields = query.field.map(pairOf);
    this.withoutFields = query.without_field.map(pairOf);
  }

  /** Whether a line matches everything except the regex. The cheapest checks come first. */
  fits(line: LogLine): boolean {
    if (this.levels) {
      if (!this.levels.has(line.level ?? 'none')) return false;
      // A stack trace counts as one error. Its frames count only if the query searches their text.
      if (line.continues && !this.searchesText) return false;
    }
    if (this.text !== null || this.without.length > 0) {
      const text = this.folded(line.text) ?? '';
      if (this.text !== null && !text.includes(this.text)) return false;
      if (this.without.some((unwanted) => text.includes(unwanted))) return false;
    }
    return this.fieldsMatch(line.text);
  }

  private get searchesText(): boolean {
    return this.query.text !== null || this.fields.length > 0;
  }

  private fieldsMatch(text: string): boolean {
    if (!this.fields.every((field) => mayHave(text, field))) return false;
    const excluded = this.withoutFields.filter((field) => mayHave(text, field));
    if (this.fields.length + excluded.length === 0) return true;
    const { fields } = fieldsOf(text);
    const has = ([name, value]: FieldPair): boolean => fields[name] === value;
    return this.fields.every(has) && !excluded.some(has);
  }

  private folded(text: string | null): string | null {
    return this.query.case || text === null ? text : text.toLowerCase();
  }
}

/** A cheap check before parsing: the field's last name part, and a value without escapes, must occur in the text. */
function mayHave(text: string, [name, value]: FieldPair): boolean {
  if (!text.includes(name.slice(name.lastIndexOf('.') + 1))) return false;
  return !NEVER_ESCAPED.test(value) || text.includes(value);
}

function pairOf(field: string): FieldPair {
  const at = field.indexOf(':');
  return [field.slice(0, at), field.slice(at + 1)];
}
