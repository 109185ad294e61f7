import { fieldsOf } from '../lines/fields.js';
import type { StoredLine } from '../lines/line.js';
import type { LineQuery } from './alert.js';

/** A regular expression, as the thread that runs it takes it. */
export interface Pattern {
  source: string;
  flags: string;
}

const NEVER_ESCAPED = /^[\w.:-]*$/;

/** What a rule asks of a line, made ready. Nothing in it takes longer than one look over the line. */
export class LineMatch {
  /** To be run elsewhere over what fits otherwise: it may take any time. */
  readonly pattern: Pattern | null;
  private readonly levels: ReadonlySet<string> | null;
  private readonly text: string | null;
  private readonly without: readonly string[];
  private readonly fields: readonly [name: string, value: string][];

  constructor(private readonly query: LineQuery) {
    this.levels = query.level.length > 0 ? new Set(query.level) : null;
    this.pattern =
      query.regex && query.text !== null ? { source: query.text, flags: query.case ? '' : 'i' } : null;
    this.text = query.regex ? null : this.folded(query.text);
    this.without = query.without.map((text) => this.folded(text) ?? '');
    this.fields = query.field.map((field) => {
      const at = field.indexOf(':');
      return [field.slice(0, at), field.slice(at + 1)];
    });
  }

  /** Whether a line fits, as far as no regular expression is asked: the cheapest question first. */
  fits(line: StoredLine): boolean {
    if (this.levels && !this.levels.has(line.level ?? 'none')) return false;
    if (this.text !== null || this.without.length > 0) {
      const text = this.folded(line.text) ?? '';
      if (this.text !== null && !text.includes(this.text)) return false;
      if (this.without.some((unwanted) => text.includes(unwanted))) return false;
    }
    return this.fields.length === 0 || this.hasFields(line.text);
  }

  /** A name's last part, and a value that no form escapes, stand in the line as they are, or it is not taken apart. */
  private hasFields(text: string): boolean {
    for (const [name, value] of this.fields) {
      if (!text.includes(name.slice(name.lastIndexOf('.') + 1))) return false;
      if (NEVER_ESCAPED.test(value) && !text.includes(value)) return false;
    }
    const { fields } = fieldsOf(text);
    return this.fields.every(([name, value]) => fields[name] === value);
  }

  private folded(text: string | null): string | null {
    return this.query.case || text === null ? text : text.toLowerCase();
  }
}
