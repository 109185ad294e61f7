import { invalidField } from '../../core/errors/index.js';
import { withQuery, type NamedSource } from '../../core/search/index.js';
import { readAgo, readTime } from '../../core/values/index.js';
import type { Level, LogQuery } from '../../drivers/log-store/index.js';
import type { LogStream } from '../../drivers/runtime/index.js';
import { readField } from '../log-lines/index.js';
import type { LineFilterDto } from './search-request.dto.js';

/**
 * The conditions of a request.
 * @param now microseconds since the epoch
 * @param known those that the query may name
 * @throws DomainError `invalid_input` for an invalid time
 */
export function logQueryOf(
  request: LineFilterDto,
  now: number,
  known: () => readonly NamedSource[],
): LogQuery {
  const { q, without = [], level, stream, field = [], without_field = [], sources, from, to } = request;
  const query: LogQuery = {
    sources: sources?.split(',').map(Number) ?? null,
    text: q === '' ? null : (q ?? null),
    regex: request.regex,
    matchCase: request.case,
    without: without.filter((text) => text !== ''),
    levels: (level as (Level | 'none')[] | undefined) ?? null,
    streams: (stream as LogStream[] | undefined) ?? null,
    fields: field.map(readField),
    withoutFields: without_field.map(readField),
    condition: null,
    from: from === undefined ? null : timeOf('from', from, now),
    to: to === undefined ? null : timeOf('to', to, now),
  };
  return request.query === undefined ? query : withQuery(query, request.query, known());
}

/** Microseconds since the epoch. @throws DomainError `invalid_input` */
export function timeOf(name: string, text: string, now: number): number {
  const ago = readAgo(text);
  const time = ago === undefined ? readTime(text) : now - ago;
  if (time === undefined) {
    throw invalidField(name, 'must be an RFC 3339 time, or a relative time such as 15m, 2h or 7d');
  }
  return time;
}
