import { Injectable } from '@nestjs/common';
import { fieldsOf } from '../../core/lines/index.js';
import { completionsIn } from '../../core/search/index.js';
import { timeText } from '../../core/values/index.js';
import {
  shorten,
  type LogLine,
  type LogQuery,
  type LogStore,
  type SourceLine,
} from '../../drivers/log-store/index.js';
import { presentLine } from '../log-lines/index.js';
import { LogStoreAccess } from '../log-sources/index.js';
import {
  CURVE_PARTS,
  type CompletionsDto,
  type CompletionsQueryDto,
  type FieldValuesDto,
  type FieldValuesQueryDto,
  type LinePatternsDto,
  type LinePatternsQueryDto,
} from './line-groups.dto.js';
import { patternOf } from './line-pattern.js';
import { logQueryOf, timeOf } from './log-query-of.js';

/** Lines to examine, and their text together and each. */
const MAX_LINES = 20_000;
const MAX_BYTES = 32_000_000;
const MAX_CHARACTERS = 16_384;
/** Groups in memory. Lines of further groups are only counted. */
const MAX_GROUPS = 5000;
const MAX_PATTERNS = 100;
/** Each may take a search of all earlier lines. */
const MAX_NEW = 40;
const MAX_VALUES = 50;
/** A longer value could not be searched. */
const MAX_VALUE = 700;
const EXAMPLE_CHARACTERS = 500;
/** Completions are requested with each key. */
const MAX_COMPLETED_LINES = 2000;
const MAX_COMPLETED_BYTES = 2_000_000;
const MAX_COMPLETIONS = 20;

interface Occurrences {
  found: SourceLine;
  times: number[];
}

/** Groups the newest matching lines by pattern, or by the value of a field. */
@Injectable()
export class LineGroupsService {
  constructor(private readonly access: LogStoreAccess) {}

  /** @throws DomainError `search_invalid`, `invalid_input` */
  async patterns(request: LinePatternsQueryDto, signal: AbortSignal): Promise<LinePatternsDto> {
    const store = await this.access.get();
    const now = Date.now() * 1000;
    const asked = logQueryOf(request, now, () => store.sources());
    const since = request.new_since === undefined ? null : timeOf('new_since', request.new_since, now);
    const query = since === null ? asked : { ...asked, from: since };
    const [entries, frames] = [new Groups<Occurrences>(), new Groups<Occurrences>()];
    const times: number[] = [];
    let frameCount = 0;
    const examined = await examine(store, query, signal, (found) => {
      times.push(found.line.time);
      const isFrame = isFrameOf(found.line);
      if (isFrame) frameCount += 1;
      const group = (isFrame ? frames : entries).add(patternOf(found.line.text).pattern, () => ({
        found,
        times: [],
      }));
      group?.times.push(found.line.time);
    });
    const groups = entries.isEmpty ? frames : entries;
    const all = groups.top(MAX_GROUPS, ({ found: { line } }) => (isError(line) ? 1 : 0));
    const listed =
      since === null ? all : await newOnes(store, { ...asked, from: null, to: since }, all, signal);
    const oldest = times.reduce((first, time) => Math.min(first, time), now);
    const newest = times.reduce((last, time) => Math.max(last, time), oldest);
    const from = examined.reason === 'complete' ? (query.from ?? oldest) : oldest;
    const to = Math.max(query.to ?? (query.from === null ? newest : now), from) + 1;
    const patterns = listed
      .slice(0, MAX_PATTERNS)
      .map(({ key, count, found: { source, line }, times: own }) => {
        const { regex, text } = patternOf(line.text);
        const example = presentLine(source, shorten(line, EXAMPLE_CHARACTERS));
        return { pattern: key, count, regex, text, example, counts: curveOf(own, from, to) };
      });
    const grouped = examined.examined - (groups === entries ? frameCount : 0);
    const others = (since === null ? grouped : sum(listed)) - sum(patterns);
    return { ...examined, others, patterns, from: timeText(from), to: timeText(to) };
  }

  /** @throws DomainError `search_invalid`, `invalid_input` */
  async values(request: FieldValuesQueryDto, signal: AbortSignal): Promise<FieldValuesDto> {
    const store = await this.access.get();
    const query = logQueryOf(request, Date.now() * 1000, () => store.sources());
    const groups = new Groups<object>();
    let without = 0;
    const examined = await examine(store, query, signal, ({ line }) => {
      const value = fieldsOf(line.text).pairs.find(({ name }) => name === request.name)?.value;
      if (value === undefined) without += 1;
      else if (value.length <= MAX_VALUE) groups.add(value, () => ({}));
    });
    const values = groups.top(MAX_VALUES).map(({ key, count }) => ({ value: key, count }));
    return { ...examined, without, others: examined.examined - without - sum(values), values };
  }

  /** @throws DomainError `search_invalid`, `invalid_input` */
  async completions(request: CompletionsQueryDto, signal: AbortSignal): Promise<CompletionsDto> {
    const store = await this.access.get();
    const query = logQueryOf(request, Date.now() * 1000, () => store.sources());
    const sources = new Map(store.sources().map(({ id, identity }) => [id, identity]));
    const groups = new Groups<object>();
    const examined = await examine(
      store,
      query,
      signal,
      ({ source, line }) => {
        for (const text of completionsIn(line, sources.get(source), request)) groups.add(text, () => ({}));
      },
      { ...LIMITS, limit: MAX_COMPLETED_LINES, bytes: MAX_COMPLETED_BYTES },
    );
    return {
      examined: examined.examined,
      completions: groups.top(MAX_COMPLETIONS).map(({ key, count }) => ({ value: key, count })),
    };
  }
}

const LIMITS = { limit: MAX_LINES, bytes: MAX_BYTES, characters: MAX_CHARACTERS };

async function examine(
  store: LogStore,
  query: LogQuery,
  signal: AbortSignal,
  read: (line: SourceLine) => void,
  limits = LIMITS,
): Promise<{ examined: number; reason: LinePatternsDto['reason'] }> {
  let examined = 0;
  for await (const event of store.search({ ...query, ...limits, order: 'newest', cursor: null }, signal)) {
    if (event.type === 'end') return { examined, reason: event.reason };
    if (event.type !== 'match') continue;
    examined += 1;
    read(event);
  }
  throw new Error('the search has no end event');
}

interface Pattern {
  key: string;
  count: number;
  found: SourceLine;
  times: readonly number[];
}

/**
 * The patterns that no line of a query has. Most of them occur in its newest lines; each other one is searched for by its
 * longest constant text.
 */
async function newOnes(
  store: LogStore,
  before: LogQuery,
  patterns: readonly Pattern[],
  signal: AbortSignal,
): Promise<Pattern[]> {
  const known = new Set<string>();
  const { reason } = await examine(store, before, signal, ({ line }) =>
    known.add(patternOf(line.text).pattern),
  );
  const found: Pattern[] = [];
  for (const pattern of patterns.filter(({ key }) => !known.has(key))) {
    if (found.length === MAX_NEW) break;
    const isOld = reason !== 'complete' && (await occurs(store, before, pattern, signal));
    if (!isOld) found.push(pattern);
  }
  return found;
}

async function occurs(
  store: LogStore,
  query: LogQuery,
  { key, found }: Pattern,
  signal: AbortSignal,
): Promise<boolean> {
  const { text } = patternOf(found.line.text);
  const parts = [{ type: 'text', pattern: [text] } as const, ...(query.condition ? [query.condition] : [])];
  const search = {
    ...query,
    ...LIMITS,
    condition: { type: 'and', parts },
    order: 'newest',
    cursor: null,
  } as const;
  for await (const event of store.search(search, signal)) {
    if (event.type === 'match' && patternOf(event.line.text).pattern === key) return true;
  }
  return false;
}

/** A frame belongs to the error above it, and is a pattern of its own only if nothing else was found. */
function isFrameOf({ continues, text }: LogLine): boolean {
  return continues && /^\s/.test(text);
}

function isError({ level }: LogLine): boolean {
  return level === 'error' || level === 'fatal';
}

/** How many of the times are in each part of a period. */
function curveOf(times: readonly number[], from: number, to: number): number[] {
  const counts = Array<number>(CURVE_PARTS).fill(0);
  for (const time of times) {
    const part = Math.floor(((time - from) / (to - from)) * CURVE_PARTS);
    const at = Math.min(Math.max(part, 0), CURVE_PARTS - 1);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}

/** Counts by key. */
class Groups<TGroup extends object> {
  private readonly groups = new Map<string, TGroup & { count: number }>();

  get isEmpty(): boolean {
    return this.groups.size === 0;
  }

  /** The group, unless there are too many. */
  add(key: string, create: () => TGroup): TGroup | undefined {
    let group = this.groups.get(key);
    if (!group && this.groups.size < MAX_GROUPS) this.groups.set(key, (group = { ...create(), count: 0 }));
    if (group) group.count += 1;
    return group;
  }

  /** By rank, and then the most frequent ones. */
  top(limit: number, rank: (group: TGroup) => number = () => 0): (TGroup & { key: string; count: number })[] {
    return [...this.groups]
      .map(([key, group]) => ({ ...group, key }))
      .sort((one, other) => rank(other) - rank(one) || other.count - one.count)
      .slice(0, limit);
  }
}

function sum(groups: readonly { count: number }[]): number {
  return groups.reduce((total, { count }) => total + count, 0);
}
