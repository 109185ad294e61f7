import type { Level, SearchesSearchData } from '../../shared/api/api-types';

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
  /** Marked texts; they hide no lines. */
  marks: [] as readonly string[],
  /** RFC 3339, or relative such as `15m`. */
  from: null as string | null,
  to: null as string | null,
};

export interface Parameters {
  get: (name: string) => string | null;
  getAll: (name: string) => string[];
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
  return {
    text: (get('q') ?? '').slice(0, 2000),
    regex: get('regex') === '1',
    matchCase: get('case') === '1',
    without: getAll('without').filter(Boolean).slice(0, 20),
    levels: LEVEL_CHOICES.filter((level) => levels.includes(level)),
    streams: STREAM_CHOICES.filter((stream) => streams.includes(stream)),
    fields: fieldsIn(getAll('field')),
    withoutFields: fieldsIn(getAll('without_field')),
    marks: getAll('mark').filter(Boolean).slice(0, 20),
    from: time('from'),
    to: time('to'),
  };
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
  };
}

/** The ids of the sources to search; null for all sources, which a request does not name. */
export type SearchScope = readonly number[] | null;

export function filterParameters(
  query: LogQuery,
  sources: SearchScope,
): Omit<NonNullable<SearchesSearchData['query']>, 'before' | 'limit' | 'longest'> {
  return {
    ...(sources && { sources: sources.join(',') }),
    ...(query.text !== '' && { q: query.text, regex: query.regex, case: query.matchCase }),
    ...(query.without.length > 0 && { without: [...query.without] }),
    ...(query.levels.length > 0 && { level: query.levels.join(',') }),
    ...(query.streams.length > 0 && { stream: query.streams.join(',') }),
    ...(query.fields.length > 0 && { field: fieldTexts(query.fields) }),
    ...(query.withoutFields.length > 0 && { without_field: fieldTexts(query.withoutFields) }),
    ...(query.from !== null && { from: query.from }),
    ...(query.to !== null && { to: query.to }),
  };
}

/** Whether the query hides lines other than by time. */
export function isSearch({ text, without, levels, streams, fields, withoutFields }: LogQuery): boolean {
  return text !== '' || [without, levels, streams, fields, withoutFields].some(({ length }) => length > 0);
}

export function isSameQuery(one: LogQuery, other: LogQuery): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Words are separated by spaces outside quotes. */
const WORD = /\S+?="[^"]*"(?!\S)|\S+/g;
/** A condition that can be combined with others. */
const CONDITION =
  /^(?:-?[A-Za-z_@][\w.@-]*!?=(?:"[^"]*"|[^\s"]+)|(?:level|stream|last):[^\s"]+|-[^\s"-][^\s"]*)$/;

/**
 * The query with the typed input: `/regex/`, `name=value`, `name!=value` or `-name=value`, `-without`, `level:error`,
 * `stream:stderr`, `last:15m`, several of these, `mark:text`, or text. @returns null for invalid input
 */
export function withEntry(query: LogQuery, typed: string): LogQuery | null {
  const entry = typed.trim();
  const words = entry.match(WORD) ?? [];
  // Otherwise, the entire input is a text or the value of a field.
  const areConditions = !query.regex && words.length > 1 && words.every((word) => CONDITION.test(word));
  if (!areConditions) return withOne(query, entry);
  return words.reduce<LogQuery | null>((read, word) => read && withOne(read, word), query);
}

function withOne(query: LogQuery, entry: string): LogQuery | null {
  if (entry === '') return { ...query, text: '' };
  const regex = /^\/(.+)\/(i?)$/.exec(entry);
  if (regex?.[1] !== undefined) return { ...query, text: regex[1], regex: true };
  const word = /^(level|stream|last|mark|without):\s*(\S.*)$/s.exec(entry);
  if (word?.[1] !== undefined && word[2] !== undefined) return withWord(query, word[1], word[2]);
  const field = query.regex ? null : /^(-?)([A-Za-z_@][\w.@-]*)(!?)=(\S.*)$/.exec(entry);
  if (field?.[2] !== undefined && field[4] !== undefined) {
    const wanted = { name: field[2], value: field[4].replace(/^"(.*)"$/, '$1') };
    // A double negation is text.
    if ((field[1] === '') !== (field[3] === '')) return withoutField(query, wanted);
    if (field[1] === '') return withField(query, wanted);
  }
  if (/^-\S/.test(entry)) return withoutText(query, entry.slice(1));
  return { ...query, text: entry };
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

function withWord(query: LogQuery, word: string, value: string): LogQuery | null {
  if (word === 'mark') return { ...query, marks: added(query.marks, value) };
  if (word === 'without') return withoutText(query, value);
  if (word === 'last') {
    const span = value.replace(/(?<!\s)\s*(?:min|minutes?)$/, 'm').replaceAll(' ', '');
    return TIME.test(span) ? { ...query, from: span, to: null } : null;
  }
  const names = value.split(/[,\s]+/);
  if (word === 'stream') {
    const streams = STREAM_CHOICES.filter((stream) => names.includes(stream));
    return streams.length === 0 ? null : { ...query, streams };
  }
  const known = LEVEL_CHOICES.filter((level) => names.includes(level));
  return known.length === 0 ? null : { ...query, levels: known };
}

export interface Chip {
  kind: 'level' | 'stream' | 'period' | 'without' | 'field' | 'mark';
  /** The condition; `value` is its operand. */
  word: string;
  value: string;
  rest: LogQuery;
}

/** Formats a time; the second of two omits a date equal to that of `previous`. */
type ClockLabels = (time: string, previous?: string) => string;

export function chipsOf(query: LogQuery, clock: ClockLabels): Chip[] {
  const { levels, streams, from, to, without, fields, withoutFields, marks } = query;
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
  for (const text of marks) {
    const rest = { ...query, marks: marks.filter((other) => other !== text) };
    chips.push({ kind: 'mark', word: 'mark', value: text, rest });
  }
  return chips;
}

/** Microseconds since the epoch for an absolute or relative time. @param now in milliseconds */
export function moment(time: string, now: number): number {
  const span = /^(\d+)([smhd])$/.exec(time);
  if (span === null) return Date.parse(time) * 1000;
  const seconds = { s: 1, m: 60, h: 3600, d: 86_400 }[span[2] as 's' | 'm' | 'h' | 'd'];
  return (now - Number(span[1]) * seconds * 1000) * 1000;
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
