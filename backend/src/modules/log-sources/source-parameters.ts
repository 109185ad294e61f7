import { DomainError } from '../../core/errors/index.js';

const ID = /^[1-9]\d{0,14}$/;

/** The id of a source from an address. @throws DomainError `source_not_found` for what cannot be one */
export function sourceId(text: string): number {
  if (!ID.test(text)) {
    throw new DomainError('source_not_found', 'There is no such source: a source’s id is a whole number.');
  }
  return Number(text);
}

/** The number of a line from an address. @throws DomainError `line_not_found` for what cannot be one */
export function lineNumber(text: string): number {
  if (!ID.test(text)) {
    throw new DomainError('line_not_found', 'There is no such line: a line’s number is a whole number.');
  }
  return Number(text);
}
