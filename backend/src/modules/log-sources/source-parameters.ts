import { DomainError } from '../../core/errors/index.js';

const ID = /^[1-9]\d{0,14}$/;

/** Parses the source id of a path. @throws DomainError `source_not_found` */
export function sourceId(text: string): number {
  if (!ID.test(text)) {
    throw new DomainError(
      'source_not_found',
      'The source does not exist. A source id is a positive integer.',
    );
  }
  return Number(text);
}

/** Parses the line number of a path. @throws DomainError `line_not_found` */
export function lineNumber(text: string): number {
  if (!ID.test(text)) {
    throw new DomainError('line_not_found', 'The line does not exist. A line number is a positive integer.');
  }
  return Number(text);
}
