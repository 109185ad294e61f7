import { fieldsOf, hasField, type FieldValue } from '../lines/index.js';
import type { LogQuery, QueriedLine } from './line-query.js';
import { longestFieldWord } from './query-text.js';

/** Conditions of a query on one line, apart from its source, its time, and a regex, which may take long. */
export class LineConditions {
  private readonly text: string;
  private readonly without: readonly string[];
  private readonly fields: readonly SearchedField[];
  private readonly withoutFields: readonly SearchedField[];

  constructor(private readonly query: Omit<LogQuery, 'sources' | 'condition' | 'from' | 'to'>) {
    const { text, regex, without, fields, withoutFields } = query;
    this.text = text === null || regex ? '' : this.folded(text);
    this.without = without.filter((part) => part !== '').map((part) => this.folded(part));
    this.fields = fields.map(searchedField);
    this.withoutFields = withoutFields.map(searchedField);
  }

  /** Whether a line meets the conditions. The cheapest come first. */
  accept({ level, stream, text }: QueriedLine): boolean {
    const { levels, streams } = this.query;
    if (levels && !levels.includes(level ?? 'none')) return false;
    if (streams && (stream === null || !streams.includes(stream))) return false;
    return this.acceptText(text);
  }

  acceptText(text: string): boolean {
    if (this.text !== '' || this.without.length > 0) {
      const folded = this.folded(text);
      if (!folded.includes(this.text) || this.without.some((part) => folded.includes(part))) return false;
    }
    return this.acceptFields(text);
  }

  /** Whether a line has the required fields, and no excluded ones. It is parsed only if it may have them. */
  acceptFields(text: string): boolean {
    if (!this.fields.every((field) => mayHave(text, field))) return false;
    const excluded = this.withoutFields.filter((field) => mayHave(text, field));
    if (this.fields.length + excluded.length === 0) return true;
    const { pairs } = fieldsOf(text);
    const has = (field: FieldValue): boolean => hasField(pairs, field);
    return this.fields.every(has) && !excluded.some(has);
  }

  private folded(text: string): string {
    return this.query.matchCase ? text : text.toLowerCase();
  }
}

/** A field, and a part of its value that a line with the field contains as it is. */
type SearchedField = FieldValue & { word: string };

function searchedField(field: FieldValue): SearchedField {
  return { ...field, word: longestFieldWord(field) };
}

/** A value that is one word has no letter or digit beside it, unlike `503` in an id. A color ends with `m`. */
function mayHave(text: string, { word, value }: SearchedField): boolean {
  if (word !== value || word === '') return text.includes(word);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[a-ln-zA-Z0-9]/.test(text.charAt(at - 1)) && !/[a-zA-Z0-9]/.test(text.charAt(at + word.length))) {
      return true;
    }
  }
  return false;
}
