import { invalidField } from '../../core/errors/index.js';
import type { FieldValue, Level, LogQuery } from '../../drivers/log-store/index.js';
import type { LogStream } from '../../drivers/runtime/index.js';
import { readTime } from '../log-lines/index.js';
import type { LineFilterDto } from './search-request.dto.js';

const UNITS_US: Readonly<Record<string, number>> = {
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
};

/**
 * The conditions of a request.
 * @param now microseconds since the epoch
 * @throws DomainError `invalid_input` for an invalid time
 */
export function logQueryOf(request: LineFilterDto, now: number): LogQuery {
  const {
    q,
    regex,
    case: matchCase,
    without,
    level,
    stream,
    field,
    without_field,
    sources,
    from,
    to,
  } = request;
  return {
    sources: sources === undefined ? null : sources.split(',').map(Number),
    text: q === undefined || q === '' ? null : q,
    regex,
    matchCase,
    without: (without ?? []).filter((text) => text !== ''),
    levels: (level as (Level | 'none')[] | undefined) ?? null,
    streams: (stream as LogStream[] | undefined) ?? null,
    fields: (field ?? []).map(fieldOf),
    withoutFields: (without_field ?? []).map(fieldOf),
    from: from === undefined ? null : timeOf('from', from, now),
    to: to === undefined ? null : timeOf('to', to, now),
  };
}

function fieldOf(pair: string): FieldValue {
  const colon = pair.indexOf(':');
  return { name: pair.slice(0, colon), value: pair.slice(colon + 1) };
}

function timeOf(name: string, text: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (UNITS_US[unit] ?? 0);
  const time = readTime(text);
  if (time === undefined) {
    throw invalidField(name, 'must be an RFC 3339 time, or a relative time such as 15m, 2h or 7d');
  }
  return time;
}
