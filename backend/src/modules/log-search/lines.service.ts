import { Injectable } from '@nestjs/common';
import { DomainError, invalidField } from '../../core/errors/index.js';
import { readTime } from '../../core/values/index.js';
import { fieldsOf } from '../../core/lines/index.js';
import { type LogStore, type PageLimits } from '../../drivers/log-store/index.js';
import { presentLine, ResponseLimits, wireLine } from '../log-lines/index.js';
import { LogStoreAccess, SourceRegistry } from '../log-sources/index.js';
import type {
  LineDetailDto,
  LinePageDto,
  LinesQueryDto,
  MergedPageDto,
  MergedQueryDto,
} from './line-page.dto.js';

/** Reads stored lines by position. */
@Injectable()
export class LinesService {
  constructor(
    private readonly access: LogStoreAccess,
    private readonly registry: SourceRegistry,
    private readonly limits: ResponseLimits,
  ) {}

  /** @throws DomainError `source_not_found`, `invalid_input` for two positions */
  async page(id: number, query: LinesQueryDto): Promise<LinePageDto> {
    const { before, after, around, longest } = query;
    rejectSeveral({ before, after, around });
    const store = await this.access.get();
    this.registry.get(id);
    const place = { ...placeOf(query), ...this.room(longest) };
    // For a single source, the position is the line number.
    const { lines, first, end, endedEarly } = await store.page([id], place.position, place);
    return {
      source: id,
      lines: lines.map(({ line }) => presentLine(id, line)),
      first_seq: first,
      next_seq: end,
      ...(endedEarly && { ended_early: true as const }),
    };
  }

  /** @throws DomainError `source_not_found`, `line_not_found` */
  async detail(id: number, seq: number): Promise<LineDetailDto> {
    const store = await this.access.get();
    this.registry.get(id);
    const [line] = await store.lines(id, seq, 1);
    if (line?.seq !== seq) throw lineNotFound(id, seq);
    const { format, pairs } = fieldsOf(line.text);
    // Also for a name such as `__proto__`, which is an own property here.
    const fields = Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
    return Object.assign(presentLine(id, line), { format, fields, pairs, position: seq });
  }

  /** @throws DomainError `invalid_input`, `line_not_found` */
  async merged(query: MergedQueryDto): Promise<MergedPageDto> {
    const store = await this.access.get();
    const ids = query.sources?.split(',').map(Number) ?? this.registry.all().map(({ id }) => id);
    if (ids.length === 0) return { position: 1, first: 1, end: 1, lines: [] };
    const place = await mergedPlace(store, ids, query);
    const page = await store.page(ids, place.position, { ...place, ...this.room(query.longest) });
    return {
      position: page.position,
      first: page.first,
      end: page.end,
      lines: page.lines.map(({ source, line }) => [source, ...wireLine(line)]),
      ...(page.endedEarly && { ended_early: true as const }),
    };
  }

  private room(longest: number | undefined): PageLimits {
    const { pageBytes: bytes } = this.limits;
    return longest === undefined ? { bytes } : { bytes, characters: longest };
  }
}

interface Place {
  position: number;
  before: number;
  after: number;
}

function placeOf({ before, after, around, limit }: LinesQueryDto): Place {
  if (after !== undefined) return { position: after + 1, before: 0, after: limit };
  if (around !== undefined) return inMiddle(around, limit);
  return { position: before ?? Infinity, before: limit, after: 0 };
}

function inMiddle(position: number, limit: number): Place {
  const before = Math.floor(limit / 2);
  return { position, before, after: limit - before };
}

async function mergedPlace(
  store: LogStore,
  ids: number[],
  { position, at, source, seq, limit }: MergedQueryDto,
): Promise<Place> {
  const line = source === undefined && seq === undefined ? undefined : { source, seq };
  rejectSeveral({ position, at, source: line });
  if (position !== undefined) return { position, before: 0, after: limit };
  if (at !== undefined) return inMiddle(await store.positionAt(ids, timeOf(at)), limit);
  if (line === undefined) return { position: Infinity, before: limit, after: 0 };
  if (source === undefined || seq === undefined || !ids.includes(source)) {
    throw invalidField('source', 'requires seq, and must be one of sources');
  }
  const { firstSeq = 1, nextSeq = 1 } = store.extent(source) ?? {};
  if (seq < firstSeq || seq >= nextSeq) throw lineNotFound(source, seq);
  return inMiddle(await store.positionOf(ids, source, seq), limit);
}

function timeOf(text: string): number {
  const time = /^\d{1,16}$/.test(text) ? Number(text) : readTime(text);
  if (time === undefined) {
    throw invalidField('at', 'must be an RFC 3339 time, or microseconds since the epoch');
  }
  return time;
}

function rejectSeveral(places: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(places).filter((name) => places[name] !== undefined);
  if (given.length <= 1) return;
  throw invalidField(given[1] ?? '', `cannot be combined with ${given[0] ?? ''}`);
}

function lineNotFound(id: number, seq: number): DomainError {
  return new DomainError(
    'line_not_found',
    `Line ${seq} of source ${id} does not exist. It has expired, was deleted, or has not been collected yet.`,
  );
}
