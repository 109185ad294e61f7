import { DomainError } from '../../../backend/src/core/errors/domain-error.js';
import { fieldsOf, hasField, type FieldValue } from '../../../backend/src/core/lines/index.js';
import { compileCondition, type LogQuery } from '../../../backend/src/core/search/index.js';
import type { LogLine } from '../../../backend/src/drivers/log-store/log-line.js';

/**
 * Whether a line meets the conditions of a query, apart from its sources and times.
 * @throws DomainError `search_invalid` for an invalid regex.
 */
export function lineFilter(query: LogQuery): (line: LogLine, source: number) => boolean {
  const { text, regex, matchCase, without, levels, streams, fields, withoutFields } = query;
  const fold = (value: string): string => (matchCase ? value : value.toLowerCase());
  const includes = (line: string, value: string): boolean => fold(line).includes(fold(value));
  const pattern = regex ? regexOf(text ?? '', matchCase) : undefined;
  const has = (line: string, field: FieldValue): boolean => hasField(fieldsOf(line).pairs, field);
  const meets =
    query.condition &&
    compileCondition(query.condition, matchCase, (source) => {
      const regex = regexOf(source, matchCase);
      return (line) => regex.test(line);
    });
  return (line, source) =>
    (meets === null || meets(source, line)) &&
    (pattern ? pattern.test(line.text) : includes(line.text, text ?? '')) &&
    !without.some((value) => value !== '' && includes(line.text, value)) &&
    (levels?.includes(line.level ?? 'none') ?? true) &&
    (streams === null || (line.stream !== null && streams.includes(line.stream))) &&
    fields.every((field) => has(line.text, field)) &&
    !withoutFields.some((field) => has(line.text, field));
}

function regexOf(pattern: string, matchCase: boolean): RegExp {
  try {
    // The names of Unicode properties need the flag.
    return new RegExp(pattern, (matchCase ? '' : 'i') + (pattern.includes('\\p{') ? 'u' : ''));
  } catch (error) {
    throw new DomainError('search_invalid', `The regex is invalid: ${String(error)}`);
  }
}
