import { Injectable } from '@nestjs/common';
import { DomainError, invalidInput } from '../../../core/errors/index.js';
import { HistoryAccess } from '../history-access.js';
import type { LogHistory } from '../history/index.js';
import { SourceRegistry } from '../sources/source-registry.js';
import { fieldsOf } from './fields.js';
import type {
  LineDetailDto,
  LinePageDto,
  LinesQueryDto,
  MergedPageDto,
  MergedQueryDto,
} from './line-page.dto.js';
import { mergedLine, presentLine } from './present-line.js';
import { readTime } from './time-text.js';

/** Finds the lines that are asked for by their place. */
@Injectable()
export class LinesService {
  constructor(
    private readonly access: HistoryAccess,
    private readonly registry: SourceRegistry,
  ) {}

  /** @throws DomainError `source_not_found`, `invalid_input` for two places at once */
  async page(id: number, { before, after, around, limit }: LinesQueryDto): Promise<LinePageDto> {
    refuseSeveral({ before, after, around });
    const history = await this.access.get();
    this.registry.get(id);
    const { firstSeq = 1, nextSeq = 1 } = history.extent(id) ?? {};
    const [from, to] = placesOf({ before, after, around }, limit, nextSeq);
    const start = Math.max(from, firstSeq);
    const most = Math.min(to, nextSeq) - start;
    const lines = most > 0 ? await history.page(id, start, most) : [];
    return {
      source: id,
      // Older ones may go while they are read.
      lines: lines.filter(({ seq }) => seq < to).map((line) => presentLine(id, line)),
      first_seq: firstSeq,
      next_seq: nextSeq,
    };
  }

  /** @throws DomainError `source_not_found`, `line_not_found` */
  async detail(id: number, seq: number): Promise<LineDetailDto> {
    const history = await this.access.get();
    this.registry.get(id);
    const [line] = await history.page(id, seq, 1);
    if (line?.seq !== seq) throw lineNotFound(id, seq);
    return Object.assign(presentLine(id, line), fieldsOf(line.text), { position: seq });
  }

  /** @throws DomainError `invalid_input`, `line_not_found` */
  async merged(query: MergedQueryDto): Promise<MergedPageDto> {
    const history = await this.access.get();
    const ids = query.sources?.split(',').map(Number) ?? this.registry.all().map(({ id }) => id);
    if (ids.length === 0) return { position: 1, first: 1, end: 1, lines: [] };
    const position = await positionFor(history, ids, query);
    const page = await history.merged(ids, position, query.limit);
    return {
      position: page.position,
      first: page.first,
      end: page.end,
      lines: page.lines.map(({ source, line }) => mergedLine(source, line)),
    };
  }
}

/** Numbers of the first line that is wanted, and of the one behind the last. */
function placesOf(
  { before, after, around }: Pick<LinesQueryDto, 'before' | 'after' | 'around'>,
  limit: number,
  nextSeq: number,
): [from: number, to: number] {
  if (after !== undefined) return [after + 1, after + 1 + limit];
  if (around !== undefined) {
    const from = around - Math.floor(limit / 2);
    return [from, from + limit];
  }
  const to = Math.min(before ?? nextSeq, nextSeq);
  return [to - limit, to];
}

async function positionFor(
  history: LogHistory,
  ids: number[],
  { position, at, source, seq, limit }: MergedQueryDto,
): Promise<number> {
  const line = source === undefined && seq === undefined ? undefined : { source, seq };
  refuseSeveral({ position, at, source: line });
  if (position !== undefined) return position;
  const half = Math.floor(limit / 2);
  if (at !== undefined) return (await history.positionAt(ids, timeOf(at))) - half;
  // The end, which a page of nothing tells.
  if (line === undefined) return (await history.merged(ids, 0, 0)).end - limit;
  if (source === undefined || seq === undefined || !ids.includes(source)) {
    const problem = 'goes with seq, and has to be one of the sources';
    throw invalidInput([{ field: 'source', problem }]);
  }
  const { firstSeq = 1, nextSeq = 1 } = history.extent(source) ?? {};
  if (seq < firstSeq || seq >= nextSeq) throw lineNotFound(source, seq);
  return (await history.positionOf(ids, source, seq)) - half;
}

function timeOf(text: string): number {
  const time = /^\d{1,16}$/.test(text) ? Number(text) : readTime(text);
  if (time === undefined) {
    const problem = 'must be a time of RFC 3339, or microseconds since the epoch';
    throw invalidInput([{ field: 'at', problem }]);
  }
  return time;
}

function refuseSeveral(places: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(places).filter((name) => places[name] !== undefined);
  if (given.length <= 1) return;
  throw invalidInput([{ field: given[1] ?? '', problem: `cannot be given together with ${given[0] ?? ''}` }]);
}

function lineNotFound(id: number, seq: number): DomainError {
  return new DomainError(
    'line_not_found',
    `Line ${seq} of source ${id} is not kept: it is too old, was deleted, or has not come yet.`,
  );
}
