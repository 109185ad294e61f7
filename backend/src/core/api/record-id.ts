import { DomainError, type ErrorCode } from '../errors/index.js';
import { capitalized } from '../values/index.js';

/** Longer ids exceed the safe integers of JavaScript. */
const RECORD_ID = /^[1-9]\d{0,14}$/;

/** Parses the id in a path. @throws DomainError with the code for a record that does not exist. */
export function recordId(text: string, code: ErrorCode, noun: string): number {
  if (!RECORD_ID.test(text)) {
    throw new DomainError(code, `${capitalized(noun)} ${text.slice(0, 20)} does not exist.`);
  }
  return Number(text);
}
