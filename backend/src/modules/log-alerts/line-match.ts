import { fieldsOf, type LogLine } from '../../drivers/log-store/index.js';
import type { LineQuery } from './alert.js';

/** A regular expression, as the thread that runs it takes it. */
export interface Pattern {
  source: string;
  flags: string;
}

type FieldPair = readonly [name: string, value: string];

const NEVER_ESCAPED = /^[\w.:-]*$/;

/** What a rule asks of a line, made ready. Nothing in it takes longer than one look over the line. */
export class LineMatch {
  /** To be run elsewhere over what fits otherwise: it may take any time. */
  readonly pattern: Pattern | null;
  private readonly levels: ReadonlySet<string> | null;
  private readonly text: string | null;
  private readonly without: readonly string[];
  private readonly fields: readonly FieldPair[];
  private readonly withoutFields: readonly FieldPair[];

  constructor(private readonly query: LineQuery) {
    this.levels = query.level.length > 0 ? new Set(query.level) : null;
    this.pattern =
      query.regex && query.text !== null ? { source: query.text, flags: query.case ? '' : 'i' } : null;
    this.text = query.regex ? null : this.folded(query.text);
    this.without = query.without.map((text) => this.folded(text) ?? '');
    this.fields = query.field.map(pairOf);
    this.withoutFields = query.without_field.map(pairOf);
  }

  /** Whether a line fits, as far as no regular expression is asked: the cheapest question first. */
  fits(line: LogLine): boolean {
    if (this.levels) {
      if (!this.levels.has(line.level ?? 'none')) return false;
      // A stack trace is one error, of whatever length; its frames are looked at by who looks for something in them.
      if (line.continues && !this.looksInto) return false;
    }
    if (this.text !== null || this.without.length > 0) {
      const text = this.folded(line.text) ?? '';
      if (this.text !== null && !text.includes(this.text)) return false;
      if (this.without.some((unwanted) => text.includes(unwanted))) return false;
    }
    return this.hasRightFields(line.text);
  }

  /** Whether a line has to hold something. */
  private get looksInto(): boolean {
    return this.query.text !== null || this.fields.length > 0;
  }

  private hasRightFields(text: string): boolean {
    if (!this.fields.every((field) => mayHave(text, field))) return false;
    const suspect = this.withoutFields.filter((field) => mayHave(text, field));
    if (this.fields.length + suspect.length === 0) return true;
    const { fields } = fieldsOf(text);
    const has = ([name, value]: FieldPair): boolean => fields[name] === value;
    return this.fields.every(has) && !suspect.some(has);
  }

  private folded(text: string | null): string | null {
    return this.query.case || text === null ? text : text.toLowerCase();
  }
}

/** A name's last part, and a value that no form escapes, stand in the line as they are, or it is not taken apart. */
function mayHave(text: string, [name, value]: FieldPair): boolean {
  if (!text.includes(name.slice(name.lastIndexOf('.') + 1))) return false;
  return !NEVER_ESCAPED.test(value) || text.includes(value);
}

function pairOf(field: string): FieldPair {
  const at = field.indexOf(':');
  return [field.slice(0, at), field.slice(at + 1)];
}
