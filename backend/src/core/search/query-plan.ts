import { fieldsOf } from '../lines/index.js';
import { LEVELS, levelOfName, type Level } from './levels.js';
import { patternTest, regexOfPattern } from './line-condition.js';
import { STREAMS, type LineCondition, type LogQuery, type QueriedLine } from './line-query.js';
import { parseQuery, type CompareNode, type QueryNode } from './query-language.js';
import { sourceName } from './source-name.js';
import { scopeOfSource, SOURCE_SCOPES } from './source-scope.js';

type NamedIdentity = Parameters<typeof sourceName>[0] & Parameters<typeof scopeOfSource>[0];

/** A source with the names that a query can call it by. */
export interface NamedSource {
  id: number;
  identity: NamedIdentity;
}

/** More wildcards than this could take a regex too long. */
const MAX_WILDCARDS = 3;

const LEVEL_CHOICES = [...LEVELS, 'none'] as const;

/** By known name, what a source is called; null if it has no such name. */
const SOURCE_NAMES: Readonly<Record<string, (source: NamedIdentity) => string | null>> = {
  source: sourceName,
  cluster: ({ cluster }) => cluster,
  namespace: ({ namespace }) => namespace,
  pod: ({ kind, name }) => (kind === 'pod' ? name : null),
  container: ({ kind, name, container }) => (kind === 'container' ? name : container),
};

/** Known names whose values are those of the line. */
const LINE_NAMES: Readonly<Record<string, (line: QueriedLine) => string | null>> = {
  level: ({ level }) => level ?? 'none',
  stream: ({ stream }) => stream,
};

/** The value of a line by a known name; null for none, undefined for the name of a field. */
function knownValue(name: string, source: NamedIdentity, line: QueriedLine): string | null | undefined {
  const ofLine = Object.hasOwn(LINE_NAMES, name) ? LINE_NAMES[name] : undefined;
  const ofSource =
    name === 'scope' ? scopeOfSource : Object.hasOwn(SOURCE_NAMES, name) ? SOURCE_NAMES[name] : undefined;
  return ofLine ? ofLine(line) : ofSource?.(source);
}

/** Names that every store knows; others are fields of lines. */
const KNOWN_NAMES = [...Object.keys(LINE_NAMES), 'scope', ...Object.keys(SOURCE_NAMES)];

/** A longer one is not offered. */
const MAX_COMPLETION = 200;

/** The names that a query can compare in a line, or the values of one of them, that begin with a text. */
export function completionsIn(
  line: QueriedLine,
  source: NamedIdentity | undefined,
  { name, begin = '' }: { name?: string | undefined; begin?: string | undefined },
): Set<string> {
  const start = begin.toLowerCase();
  const isOffered = (text: string): boolean =>
    text !== '' && text.length <= MAX_COMPLETION && text.toLowerCase().startsWith(start);
  return new Set(comparable(line, source, name).filter(isOffered));
}

function comparable(
  line: QueriedLine,
  source: NamedIdentity | undefined,
  asked: string | undefined,
): string[] {
  const valueOf = (name: string): string | null => (source && knownValue(name, source, line)) ?? null;
  if (asked === undefined) {
    const known = KNOWN_NAMES.filter((name) => valueOf(name) !== null);
    return [...known, ...fieldsOf(line.text).pairs.map(({ name }) => name)];
  }
  const name = asked.toLowerCase();
  if (KNOWN_NAMES.includes(name)) return [valueOf(name) ?? ''];
  const pairs = fieldsOf(line.text).pairs.filter((pair) => pair.name === asked || pair.name === name);
  return pairs.map(({ value }) => value);
}

/** Whether a query has a regex, whose searches are limited. */
export function hasRegex(query: string): boolean {
  const contains = (node: QueryNode): boolean =>
    node.type === 'regex' ||
    (node.type === 'not' && contains(node.part)) ||
    ((node.type === 'and' || node.type === 'or') && node.parts.some(contains));
  const node = query.includes('/') ? parseQuery(query) : null;
  return node !== null && contains(node);
}

/**
 * A query of lines with the conditions of a written one in addition. As many of them as possible become conditions that a
 * store searches fast; the rest is decided line by line.
 */
export function withQuery(query: LogQuery, written: string, sources: readonly NamedSource[]): LogQuery {
  return withText(withConditions(query, written, sources));
}

/** The same query for lines in memory, of which no text is searched first. */
export function withConditions(query: LogQuery, written: string, sources: readonly NamedSource[]): LogQuery {
  const node = parseQuery(written);
  if (!node) return query;
  const condition = resolve(node, sources, query.matchCase);
  const parts = condition.type === 'and' ? condition.parts : [condition];
  return parts.reduce<LogQuery>((plan, part) => withPart(plan, part, sources), query);
}

/** The condition with known names replaced by what they mean. */
function resolve(node: QueryNode, sources: readonly NamedSource[], matchCase: boolean): LineCondition {
  switch (node.type) {
    case 'and':
    case 'or':
      return { type: node.type, parts: node.parts.map((part) => resolve(part, sources, matchCase)) };
    case 'not':
      return { type: 'not', part: resolve(node.part, sources, matchCase) };
    case 'compare':
      return negated(node, known(node, sources, matchCase));
    default:
      return node;
  }
}

function negated({ operator }: CompareNode, condition: LineCondition): LineCondition {
  return operator === '!=' && condition.type !== 'compare' ? { type: 'not', part: condition } : condition;
}

function known(node: CompareNode, sources: readonly NamedSource[], matchCase: boolean): LineCondition {
  const { operator, pattern } = node;
  const name = node.name.toLowerCase();
  const values = pattern.length === 1 ? (pattern[0] ?? '').toLowerCase().split(',') : [];
  if (name === 'level') {
    const levels = values.map((value) => (value === 'none' ? value : levelOfName(value)));
    const chosen = levels.filter((level) => level !== null);
    if (chosen.length > 0 && chosen.length === levels.length) {
      return { type: 'levels', levels: levelsOf(operator, chosen) };
    }
  }
  if (name === 'stream' && !/[<>]/.test(operator)) {
    const streams = STREAMS.filter((stream) => values.includes(stream));
    if (streams.length > 0 && streams.length === values.length) return { type: 'streams', streams };
  }
  if (name === 'scope' && !/[<>]/.test(operator)) {
    const scopes = SOURCE_SCOPES.filter((scope) => values.includes(scope));
    if (scopes.length > 0 && scopes.length === values.length) {
      const isMeant = ({ identity }: NamedSource): boolean => scopes.includes(scopeOfSource(identity));
      return { type: 'sources', ids: sources.filter(isMeant).map(({ id }) => id) };
    }
  }
  const nameOf = Object.hasOwn(SOURCE_NAMES, name) ? SOURCE_NAMES[name] : undefined;
  if (!nameOf || /[<>]/.test(operator)) return node;
  const fold = (text: string): string => (matchCase ? text : text.toLowerCase());
  const test = patternTest(pattern.map(fold), operator === ':');
  const isMeant = (called: string | null): boolean => called !== null && test(fold(called));
  return {
    type: 'sources',
    ids: sources.filter(({ identity }) => isMeant(nameOf(identity))).map(({ id }) => id),
  };
}

/** Those that are chosen, or as severe as the one that is compared. */
function levelsOf(
  operator: CompareNode['operator'],
  chosen: readonly (Level | 'none')[],
): readonly (Level | 'none')[] {
  const [one = 'none'] = chosen;
  const at = one === 'none' ? -1 : LEVELS.indexOf(one);
  if (operator === '>') return LEVELS.slice(at + 1);
  if (operator === '>=') return LEVELS.slice(Math.max(at, 0));
  if (operator === '<') return LEVELS.slice(0, Math.max(at, 0));
  if (operator === '<=') return LEVELS.slice(0, at + 1);
  return chosen;
}

/** The plan with a condition that every line must meet. */
function withPart(plan: LogQuery, condition: LineCondition, sources: readonly NamedSource[]): LogQuery {
  const isNot = condition.type === 'not';
  const part = isNot ? condition.part : condition;
  if (part.type === 'levels') {
    return { ...plan, levels: narrowed(plan.levels ?? LEVEL_CHOICES, part.levels, isNot) };
  }
  if (part.type === 'streams' && !isNot) {
    return { ...plan, streams: narrowed(plan.streams ?? STREAMS, part.streams, false) };
  }
  if (part.type === 'sources') {
    return { ...plan, sources: narrowed(plan.sources ?? sources.map(({ id }) => id), part.ids, isNot) };
  }
  if (isNot && part.type === 'text' && part.pattern.length === 1) {
    return { ...plan, without: [...plan.without, ...part.pattern] };
  }
  const parts = plan.condition ? [plan.condition, condition] : [condition];
  return {
    ...plan,
    condition:
      parts.length === 1
        ? condition
        : { type: 'and', parts: parts.flatMap((each) => (each.type === 'and' ? each.parts : [each])) },
  };
}

function narrowed<TValue>(all: readonly TValue[], chosen: readonly TValue[], isNot: boolean): TValue[] {
  return all.filter((value) => chosen.includes(value) !== isNot);
}

/** The plan with one condition as the text that is searched first: the longest text, a regex, or one of several texts. */
function withText(plan: LogQuery): LogQuery {
  const { condition } = plan;
  if (!condition || (plan.text ?? '') !== '') return plan;
  const parts = condition.type === 'and' ? condition.parts : [condition];
  const found = parts
    .map((part) => ({ part, search: searchOf(part) }))
    .filter(({ search }) => search !== undefined)
    .sort((one, other) => (other.search?.rank ?? 0) - (one.search?.rank ?? 0))[0];
  if (!found?.search) return plan;
  const rest = parts.filter((part) => part !== found.part);
  const [only] = rest;
  return {
    ...plan,
    text: found.search.text,
    regex: found.search.regex,
    condition: rest.length > 1 ? { type: 'and', parts: rest } : (only ?? null),
  };
}

/** The condition as a text or a regex to search for. A longer text excludes more; a text is faster than a regex. */
function searchOf(part: LineCondition): { text: string; regex: boolean; rank: number } | undefined {
  if (part.type === 'regex') return { text: part.source, regex: true, rank: 2 };
  if (part.type === 'text') {
    const [only = ''] = part.pattern;
    if (part.pattern.length === 1) return { text: only, regex: false, rank: 3 + only.length };
    if (part.pattern.length > MAX_WILDCARDS + 1) return undefined;
    return { text: regexOfPattern(part.pattern), regex: true, rank: 2 };
  }
  if (part.type !== 'or') return undefined;
  const texts = part.parts.flatMap((each) => (each.type === 'text' ? [each.pattern] : []));
  if (texts.length < part.parts.length || texts.some(({ length }) => length > 1)) return undefined;
  return { text: texts.map(regexOfPattern).join('|'), regex: true, rank: 1 };
}
