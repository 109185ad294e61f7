import {
  compileCondition,
  LineConditions,
  longestFieldWord,
  requiredTexts,
  type LogQuery,
} from '../../../core/search/index.js';
import { isNumberLike, type Entry } from './line-format.js';
import { allOf, anyOf, contains, equals, isSet, matches, not } from './logsql.js';
import { invalidRegex, LocalRegex, rejectUnsupported } from './regex.js';

/** Conditions on a line apart from its source and time: for the database, and for lines that it does not have yet. */
export class LineQuery {
  /** Conditions of a filter in LogsQL; empty if every line meets them. */
  readonly filter: string;
  /** Pipes for conditions that a filter cannot express. */
  readonly pipes: string;
  /** Whether `isExact` must decide about rows that the database found. */
  readonly needsCheck: boolean;
  readonly regex: LocalRegex | undefined;
  private readonly regexes: LocalRegex[] = [];
  private readonly conditions: LineConditions;
  private readonly condition: ReturnType<typeof compileCondition> | null;

  /** @throws DomainError `search_invalid` for a regex with constructs that RE2 has not. */
  constructor(query: LogQuery) {
    const { text, regex, matchCase, fields, withoutFields, condition } = query;
    this.conditions = new LineConditions(query);
    const filters = [anyValue('level', query.levels), anyValue('stream', query.streams)];
    const lowered: string[] = [];
    const search = text ?? '';
    const without = query.without.filter((one) => one !== '');
    if (regex && search !== '') {
      this.regex = this.localRegex(search, matchCase);
      const found = matches('_msg', matchCase ? search : `(?i)${search}`);
      const [matchesEmpty] = this.regex.test(['']);
      filters.push(matchesEmpty ? anyOf([found, isSet('empty_line')]) : allOf([notEmpty, found]));
    } else if (search !== '') {
      filters.push(notEmpty);
      (folds(search, matchCase) ? lowered : filters).push(textFilter(search, matchCase));
    }
    for (const one of without) {
      const condition = anyOf([isSet('empty_line'), not(textFilter(one, matchCase))]);
      (folds(one, matchCase) ? lowered : filters).push(condition);
    }
    for (const one of condition ? requiredTexts(condition) : []) {
      if (one !== '') (folds(one, matchCase) ? lowered : filters).push(textFilter(one, matchCase));
    }
    this.condition =
      condition &&
      compileCondition(condition, matchCase, (pattern) => {
        const regex = this.localRegex(pattern, matchCase);
        // The database does not see it.
        if (regex.problem !== null) throw invalidRegex(regex.problem);
        return (line) => regex.test([line])[0] === true;
      });
    // Characters between the letters and digits of a value may be escaped in the line.
    for (const word of fields.map(longestFieldWord)) {
      if (word !== '') filters.push(contains('_msg', word));
    }
    this.filter = allOf(filters);
    this.pipes = lowered.length > 0 ? ` | format "<lc:_msg>" as lowered | filter ${allOf(lowered)}` : '';
    this.needsCheck = fields.length + withoutFields.length > 0 || condition !== null;
  }

  /** Whether lines were left out because a regex took too long. */
  get isOverdue(): boolean {
    return this.regexes.some(({ isOverdue }) => isOverdue);
  }

  /** Of some lines that the database does not have yet, those that meet the conditions. */
  matching(entries: readonly Entry[]): Entry[] {
    if (this.filter === '' && this.pipes === '' && !this.needsCheck) return [...entries];
    const found = entries.filter((entry) => this.conditions.accept(entry.line) && this.meets(entry));
    if (!this.regex) return found;
    const results = this.regex.test(found.map(({ line }) => line.text));
    return found.filter((_, index) => results[index]);
  }

  /** Whether a line has the required fields and no excluded ones, and meets the further condition. */
  isExact(entry: Entry): boolean {
    return this.conditions.acceptFields(entry.line.text) && this.meets(entry);
  }

  private localRegex(pattern: string, matchCase: boolean): LocalRegex {
    rejectUnsupported(pattern);
    const regex = new LocalRegex(pattern, matchCase);
    this.regexes.push(regex);
    return regex;
  }

  private meets({ source, line }: Entry): boolean {
    return this.condition === null || this.condition(source, line);
  }
}

const notEmpty = not(isSet('empty_line'));

/** Whether a text has to be searched in lower case. A regex without case would take five times as long. */
function folds(text: string, matchCase: boolean): boolean {
  return !matchCase && text.toLowerCase() !== text.toUpperCase();
}

function textFilter(text: string, matchCase: boolean): string {
  if (folds(text, matchCase)) return contains('lowered', text.toLowerCase());
  const found = contains('_msg', text);
  return isNumberLike(text) ? anyOf([found, contains('number_text', text)]) : found;
}

/** Whether a field has one of some values; `none` is no value, and null for the list is any. */
function anyValue(field: string, values: readonly string[] | null): string {
  if (!values) return '';
  if (values.length === 0) return equals(field, `no such ${field}`);
  return anyOf(values.map((value) => equals(field, value === 'none' ? '' : value)));
}
