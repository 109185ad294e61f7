import { Injectable } from '@nestjs/common';
import { fieldsOf } from '../../core/lines/index.js';
import { shorten, type SourceLine } from '../../drivers/log-store/index.js';
import { presentLine } from '../log-lines/index.js';
import { LogStoreAccess } from '../log-sources/index.js';
import type {
  CompletionsDto,
  CompletionsQueryDto,
  FieldValuesDto,
  FieldValuesQueryDto,
  LinePatternsDto,
} from './line-groups.dto.js';
import { patternOf } from './line-pattern.js';
import { logQueryOf } from './log-query-of.js';
import { KNOWN_NAMES, knownValue } from './query-plan.js';
import type { LineFilterDto } from './search-request.dto.js';

/** Lines to examine, and their text together and each. */
const MAX_LINES = 20_000;
const MAX_BYTES = 32_000_000;
const MAX_CHARACTERS = 16_384;
/** Groups in memory. Lines of further groups are only counted. */
const MAX_GROUPS = 5000;
const MAX_PATTERNS = 100;
const MAX_VALUES = 50;
/** A longer value could not be searched. */
const MAX_VALUE = 700;
const EXAMPLE_CHARACTERS = 500;
/** Completions are requested with each key. */
const MAX_COMPLETED_LINES = 2000;
const MAX_COMPLETED_BYTES = 2_000_000;
const MAX_COMPLETIONS = 20;
const MAX_COMPLETION = 200;

/** Groups the newest matching lines by pattern, or by the value of a field. */
@Injectable()
export class LineGroupsService {
  constructor(private readonly access: LogStoreAccess) {}

  /** @throws DomainError `search_invalid`, `invalid_input` */
  async patterns(request: LineFilterDto, signal: AbortSignal): Promise<LinePatternsDto> {
    const groups = new Groups<{ found: SourceLine }>();
    const examined = await this.examine(request, signal, (found) => {
      groups.add(patternOf(found.line.text).pattern, () => ({ found }));
    });
    const patterns = groups.top(MAX_PATTERNS).map(({ key, count, found: { source, line } }) => {
      const { regex, text } = patternOf(line.text);
      return {
        pattern: key,
        count,
        regex,
        text,
        example: presentLine(source, shorten(line, EXAMPLE_CHARACTERS)),
      };
    });
    return { ...examined, others: examined.examined - sum(patterns), patterns };
  }

  /** @throws DomainError `search_invalid`, `invalid_input` */
  async values(request: FieldValuesQueryDto, signal: AbortSignal): Promise<FieldValuesDto> {
    const groups = new Groups<object>();
    let without = 0;
    const examined = await this.examine(request, signal, ({ line }) => {
      const value = fieldsOf(line.text).pairs.find(({ name }) => name === request.name)?.value;
      if (value === undefined) without += 1;
      else if (value.length <= MAX_VALUE) groups.add(value, () => ({}));
    });
    const values = groups.top(MAX_VALUES).map(({ key, count }) => ({ value: key, count }));
    return { ...examined, without, others: examined.examined - without - sum(values), values };
  }

  /** @throws DomainError `search_invalid`, `invalid_input` */
  async completions(request: CompletionsQueryDto, signal: AbortSignal): Promise<CompletionsDto> {
    const sources = new Map((await this.access.get()).sources().map(({ id, identity }) => [id, identity]));
    const name = request.name?.toLowerCase();
    const isKnown = name !== undefined && KNOWN_NAMES.includes(name);
    const begins = (text: string): boolean =>
      text.toLowerCase().startsWith((request.begin ?? '').toLowerCase());
    const groups = new Groups<object>();
    const examined = await this.examine(
      request,
      signal,
      ({ source, line }) => {
        const identity = sources.get(source);
        const known = KNOWN_NAMES.map((each) => ({
          name: each,
          value: identity && knownValue(each, identity, line),
        }));
        const pairs = isKnown ? known : [...known, ...fieldsOf(line.text).pairs];
        const texts = new Set(
          pairs
            .filter(({ value }) => value !== null && value !== undefined)
            .filter(
              (pair) => name === undefined || pair.name === name || (!isKnown && pair.name === request.name),
            )
            .map((pair) => (name === undefined ? pair.name : (pair.value ?? ''))),
        );
        for (const text of texts) {
          if (text !== '' && text.length <= MAX_COMPLETION && begins(text)) groups.add(text, () => ({}));
        }
      },
      { limit: MAX_COMPLETED_LINES, bytes: MAX_COMPLETED_BYTES },
    );
    return {
      examined: examined.examined,
      completions: groups.top(MAX_COMPLETIONS).map(({ key, count }) => ({ value: key, count })),
    };
  }

  private async examine(
    request: LineFilterDto,
    signal: AbortSignal,
    read: (line: SourceLine) => void,
    most = { limit: MAX_LINES, bytes: MAX_BYTES },
  ): Promise<{ examined: number; reason: LinePatternsDto['reason'] }> {
    const store = await this.access.get();
    const query = logQueryOf(request, Date.now() * 1000, () => store.sources());
    const limits = { ...most, characters: MAX_CHARACTERS };
    let examined = 0;
    for await (const event of store.search({ ...query, ...limits, order: 'newest', cursor: null }, signal)) {
      if (event.type === 'end') return { examined, reason: event.reason };
      if (event.type !== 'match') continue;
      examined += 1;
      read(event);
    }
    throw new Error('the search has no end event');
  }
}

/** Counts by key. */
class Groups<TGroup extends object> {
  private readonly groups = new Map<string, TGroup & { count: number }>();

  add(key: string, create: () => TGroup): void {
    const group = this.groups.get(key);
    if (group) group.count += 1;
    else if (this.groups.size < MAX_GROUPS) this.groups.set(key, { ...create(), count: 1 });
  }

  top(limit: number): (TGroup & { key: string; count: number })[] {
    return [...this.groups]
      .map(([key, group]) => ({ ...group, key }))
      .sort((one, other) => other.count - one.count)
      .slice(0, limit);
  }
}

function sum(groups: readonly { count: number }[]): number {
  return groups.reduce((total, { count }) => total + count, 0);
}
