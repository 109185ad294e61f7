import {
  MAX_QUERY,
  parseQuery,
  printQuery,
  SOURCE_SCOPES,
  type CompareNode,
  type QueryNode,
  type SourceScope,
} from '../../../../backend/src/core/search/index.js';
import type { Level, SearchesSearchData } from '../api/api-types';

export type LevelChoice = Level | 'none';
export const LEVEL_CHOICES: readonly LevelChoice[] = [
  'trace',
  'debug',
  'info',
  'warn',
  'error',
  'fatal',
  'none',
];

export const STREAM_CHOICES = ['stdout', 'stderr'] as const;

export interface FieldValue {
  name: string;
  value: string;
}

export type LogQuery = typeof EMPTY_QUERY;

export const EMPTY_QUERY = {
  text: '',
  regex: false,
  matchCase: false,
  without: [] as readonly string[],
  levels: [] as readonly LevelChoice[],
  /** Empty for all lines, including those without a stream. */
  streams: [] as readonly (typeof STREAM_CHOICES)[number][],
  fields: [] as readonly FieldValue[],
  withoutFields: [] as readonly FieldValue[],
  /** Further conditions in the query language, each as it is printed. */
  conditions: [] as readonly string[],
  /** Only sources of this scope; null for all. */
  scope: null as SourceScope | null,
  /** Marked texts; they hide no lines. */
  marks: [] as readonly string[],
  /** RFC 3339, or relative such as `15m`. */
  from: null as string | null,
  to: null as string | null,
};

/** Shown until something is chosen; an address with a choice of its own is not narrowed. */
export const FIRST_VIEW: LogQuery = { ...EMPTY_QUERY, scope: 'apps', from: '15m' };

export interface Parameters {
  get: (name: string) => string | null;
  getAll: (name: string) => string[];
}

/** The query of an address of the page. */
export function readPage(address: Parameters & { keys: readonly string[] }): LogQuery {
  return address.keys.every((name) => name === 'pane' || name === 'new') ? FIRST_VIEW : readQuery(address);
}

const TIME = /^(?:\d{1,5}[smhd]|\d{4}-\d\d-\d\dT[\d:.]{5,15}(?:Z|[+-]\d\d:\d\d))$/;

export function readQuery(address: Parameters): LogQuery {
  const get = (name: string): string | null => address.get(name);
  const getAll = (name: string): string[] => address.getAll(name);
  const time = (name: string): string | null => {
    const value = get(name);
    return value !== null && TIME.test(value) ? value : null;
  };
  const levels = (get('level') ?? '').split(',');
  const streams = (get('stream') ?? '').split(',');
  const known: LogQuery = {
    text: (get('q') ?? '').slice(0, MAX_QUERY),
    regex: get('regex') === '1',
    matchCase: get('case') === '1',
    without: getAll('without').filter(Boolean).slice(0, 20),
    levels: LEVEL_CHOICES.filter((level) => levels.includes(level)),
    streams: STREAM_CHOICES.filter((stream) => streams.includes(stream)),
    fields: fieldsIn(getAll('field')),
    withoutFields: fieldsIn(getAll('without_field')),
    conditions: [],
    scope: SOURCE_SCOPES.find((scope) => scope === get('scope')) ?? null,
    marks: getAll('mark').filter(Boolean).slice(0, 20),
    from: time('from'),
    to: time('to'),
  };
  return withNode(known, parseQuery((get('query') ?? '').slice(0, MAX_QUERY))) ?? known;
}

/** Limits of the API. */
const MAX_FIELD = 1000;
const MAX_FIELDS = 20;

export function isSearchable({ name, value }: FieldValue): boolean {
  return name.length + value.length < MAX_FIELD;
}

function fieldsIn(texts: readonly string[]): FieldValue[] {
  return texts
    .filter((text) => text.includes(':'))
    .map((text) => {
      // A name may have colons, too. The server tries each of them.
      const [name = ''] = text.split(':', 1);
      return { name, value: text.slice(name.length + 1) };
    })
    .filter(isSearchable)
    .slice(0, MAX_FIELDS);
}

function fieldTexts(fields: readonly FieldValue[]): string[] {
  return fields.map(({ name, value }) => `${name}:${value}`);
}

/** Query parameters for the router; null removes a parameter. */
export function queryParameters(query: LogQuery): Record<string, string | string[] | null> {
  const list = (values: readonly string[]): string[] | null => (values.length === 0 ? null : [...values]);
  return {
    q: query.text || null,
    query: conditionsText({ ...query, scope: null }) || null,
    regex: query.regex ? '1' : null,
    case: query.matchCase ? '1' : null,
    without: list(query.without),
    level: query.levels.join(',') || null,
    stream: query.streams.join(',') || null,
    field: list(fieldTexts(query.fields)),
    without_field: list(fieldTexts(query.withoutFields)),
    mark: list(query.marks),
    from: query.from,
    to: query.to,
    scope: query.scope ?? 'all',
  };
}

/** The ids of the sources to search; null for all sources, which a request does not name. */
export type SearchScope = readonly number[] | null;

export function filterParameters(
  query: LogQuery,
  sources: SearchScope,
): Omit<NonNullable<SearchesSearchData['query']>, 'before' | 'limit' | 'longest'> {
  const conditions = conditionsText(query);
  return {
    ...(sources && { sources: sources.join(',') }),
    ...(query.text !== '' && { q: query.text, regex: query.regex, case: query.matchCase }),
    ...(conditions !== '' && { query: conditions, case: query.matchCase }),
    ...(query.without.length > 0 && { without: [...query.without] }),
    ...(query.levels.length > 0 && { level: query.levels.join(',') }),
    ...(query.streams.length > 0 && { stream: query.streams.join(',') }),
    ...(query.fields.length > 0 && { field: fieldTexts(query.fields) }),
    ...(query.withoutFields.length > 0 && { without_field: fieldTexts(query.withoutFields) }),
    ...(query.from !== null && { from: query.from }),
    ...(query.to !== null && { to: query.to }),
  };
}

/** All lines of the same scope and time range. */
export function withoutFilter({ scope, from, to }: LogQuery): LogQuery {
  return { ...EMPTY_QUERY, scope, from, to };
}

/** Whether the query hides lines other than by scope and time. */
export function isSearch({ text, ...query }: LogQuery): boolean {
  const { without, levels, streams, fields, withoutFields, conditions } = query;
  return [text, without, levels, streams, fields, withoutFields, conditions].some(({ length }) => length > 0);
}

export function isSameQuery(one: LogQuery, other: LogQuery): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The text of a query as it is typed into the field. */
export function typedText({ text, regex }: LogQuery): string {
  if (text === '') return '';
  if (!regex) return printQuery({ type: 'text', pattern: [text] });
  const written = printQuery({ type: 'regex', source: text });
  const read = parseQuery(written);
  if (read?.type === 'regex' && read.source === text) return written;
  // A slash before a blank would end the regex.
  return `/${text.replace(/\\.|\//gs, (part) => (part === '/' ? '\\/' : part))}/`;
}

/** Whether the empty field awaits a regex. Over a regex, only text between slashes is read as one. */
export function awaitsRegex({ text, regex }: LogQuery): boolean {
  return regex && text === '';
}

/**
 * The query with what was typed, in the query language. Beside it, `last:15m` is a time range and `mark:text` a highlight.
 * One text or regex stays in the field; everything else becomes a chip. @returns null for an invalid time range
 */
export function withEntry(query: LogQuery, typed: string): LogQuery | null {
  const entry = typed.trim();
  if (awaitsRegex(query) && !/^\/.+\/$/s.test(entry)) return { ...query, text: entry };
  return withNode({ ...query, text: '', regex: false }, parseQuery(entry));
}

/** The query with the conditions of a written one in addition; null for an invalid time range. */
function withNode(query: LogQuery, node: QueryNode | null): LogQuery | null {
  const parts = node === null ? [] : node.type === 'and' ? node.parts : [node];
  const isText = (part: QueryNode): boolean =>
    part.type === 'regex' || (part.type === 'text' && part.pattern.length === 1);
  const isOnly = query.text === '' && parts.filter(isText).length === 1;
  return parts.reduce<LogQuery | null>((read, part) => {
    if (!read) return null;
    if (isOnly && part.type === 'regex') return { ...read, text: part.source, regex: true };
    if (isOnly && part.type === 'text' && isText(part)) return { ...read, text: part.pattern[0] ?? '' };
    return withPart(read, part);
  }, query);
}

function withPart(query: LogQuery, part: QueryNode): LogQuery | null {
  if (part.type === 'not' && part.part.type === 'text' && part.part.pattern.length === 1) {
    return withoutText(query, part.part.pattern[0] ?? '');
  }
  const known = part.type === 'compare' ? withWord(query, part) : undefined;
  return known === undefined ? { ...query, conditions: added(query.conditions, printQuery(part)) } : known;
}

/** The scope and the further conditions as one query. */
export function conditionsText({ scope, conditions }: LogQuery): string {
  const written = scope === null ? conditions : [`scope:${scope}`, ...conditions];
  const parts = written.map(parseQuery).filter((part) => part !== null);
  const [only] = parts;
  return printQuery(parts.length > 1 ? { type: 'and', parts } : (only ?? null));
}

/** Texts of the further conditions that a matching line may contain. */
export function conditionTexts({ conditions }: Pick<LogQuery, 'conditions'>): string[] {
  const textsOf = (node: QueryNode): string[] => {
    if (node.type === 'text') return node.pattern.filter((piece) => piece !== '');
    return node.type === 'and' || node.type === 'or' ? node.parts.flatMap(textsOf) : [];
  };
  return conditions.flatMap((condition) => {
    const node = parseQuery(condition);
    return node ? textsOf(node) : [];
  });
}

/** Only lines with this field value; it replaces other values of the field. */
export function withField(query: LogQuery, wanted: FieldValue): LogQuery {
  const others = ({ name }: FieldValue): boolean => name !== wanted.name;
  return {
    ...query,
    fields: [...query.fields.filter(others), wanted],
    withoutFields: query.withoutFields.filter(others),
  };
}

export function withoutField(query: LogQuery, unwanted: FieldValue): LogQuery {
  const others = ({ name, value }: FieldValue): boolean => name !== unwanted.name || value !== unwanted.value;
  return {
    ...query,
    fields: query.fields.filter(others),
    withoutFields: [...query.withoutFields.filter(others), unwanted],
  };
}

export function withoutText(query: LogQuery, text: string): LogQuery {
  return { ...query, without: added(query.without, text) };
}

/** The query with a word that has a control of its own; undefined for another word. */
function withWord(query: LogQuery, { name, operator, pattern }: CompareNode): LogQuery | null | undefined {
  const [value = '', ...more] = pattern;
  if (more.length > 0 || (operator !== ':' && operator !== '=')) return undefined;
  if (name === 'mark') return { ...query, marks: added(query.marks, value) };
  if (name === 'without') return withoutText(query, value);
  if (name === 'last') {
    const span = value.replace(/(?<!\s)\s*(?:min|minutes?)$/, 'm').replaceAll(' ', '');
    return TIME.test(span) ? { ...query, from: span, to: null } : null;
  }
  const names = value.split(',');
  if (name === 'level') {
    const levels = LEVEL_CHOICES.filter((level) => names.includes(level));
    return levels.length === names.length ? { ...query, levels } : undefined;
  }
  const scope = name === 'scope' ? SOURCE_SCOPES.find((known) => known === value) : undefined;
  if (scope !== undefined) return { ...query, scope };
  const streams = STREAM_CHOICES.filter((stream) => names.includes(stream));
  return name === 'stream' && streams.length === names.length ? { ...query, streams } : undefined;
}

export interface Chip {
  kind: 'level' | 'stream' | 'period' | 'without' | 'field' | 'condition' | 'mark';
  /** The condition; `value` is its operand. */
  word: string;
  value: string;
  rest: LogQuery;
}

/** Formats a time; the second of two omits a date equal to that of `previous`. */
type ClockLabels = (time: string, previous?: string) => string;

export function chipsOf(query: LogQuery, clock: ClockLabels): Chip[] {
  const { levels, streams, from, to, without, fields, withoutFields, conditions, marks } = query;
  const chips: Chip[] = [];
  if (levels.length > 0) {
    const value = levels.join(', ').replace('none', $localize`no level`);
    chips.push({ kind: 'level', word: 'level', value, rest: { ...query, levels: [] } });
  }
  if (streams.length > 0) {
    const rest = { ...query, streams: [] };
    chips.push({ kind: 'stream', word: 'stream', value: streams.join(', '), rest });
  }
  if (from !== null || to !== null) {
    const rest = { ...query, from: null, to: null };
    chips.push({ kind: 'period', ...periodLabel(from, to, clock), rest });
  }
  for (const text of without) {
    const rest = { ...query, without: without.filter((other) => other !== text) };
    chips.push({ kind: 'without', word: 'without', value: text, rest });
  }
  for (const field of fields) {
    const rest = { ...query, fields: fields.filter((other) => other !== field) };
    chips.push({ kind: 'field', word: `${field.name} =`, value: field.value, rest });
  }
  for (const field of withoutFields) {
    const rest = { ...query, withoutFields: withoutFields.filter((other) => other !== field) };
    chips.push({ kind: 'without', word: `${field.name} ≠`, value: field.value, rest });
  }
  for (const value of conditions) {
    const rest = { ...query, conditions: conditions.filter((other) => other !== value) };
    chips.push({ kind: 'condition', word: '', value, rest });
  }
  for (const text of marks) {
    const rest = { ...query, marks: marks.filter((other) => other !== text) };
    chips.push({ kind: 'mark', word: 'mark', value: text, rest });
  }
  return chips;
}

/** The units of durations such as `15m`, from the largest. */
export const SPAN_SECONDS = { d: 86_400, h: 3600, m: 60, s: 1 } as const;

/** Microseconds since the epoch for an absolute or relative time. @param now in milliseconds */
export function moment(time: string, now: number): number {
  const span = /^(\d+)([smhd])$/.exec(time);
  if (span === null) return Date.parse(time) * 1000;
  return (now - Number(span[1]) * SPAN_SECONDS[span[2] as keyof typeof SPAN_SECONDS] * 1000) * 1000;
}

const SPAN_WORDS = { s: 's', m: 'min', h: 'h', d: 'd' } as const;

function periodLabel(
  from: string | null,
  to: string | null,
  clock: ClockLabels,
): { word: string; value: string } {
  const span = /^(\d+)([smhd])$/.exec(from ?? '');
  if (span && to === null) {
    return { word: 'last', value: `${span[1] ?? ''} ${SPAN_WORDS[span[2] as keyof typeof SPAN_WORDS]}` };
  }
  if (from === null) return { word: 'until', value: clock(to ?? '') };
  if (to === null) return { word: 'since', value: clock(from) };
  return { word: '', value: $localize`${clock(from)}:start: to ${clock(to, from)}:end:` };
}

function added(list: readonly string[], value: string): string[] {
  return list.includes(value) ? [...list] : [...list, value];
}
