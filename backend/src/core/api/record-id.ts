import { DomainError, type ErrorCode } from '../errors/index.js';

/** Longer ones are beyond what a number counts exactly. */
const RECORD_ID = /^[1-9]\d{0,14}$/;

/** The id in an address. @throws DomainError of the code, as for a record that is not there. */
export function recordId(text: string, code: ErrorCode, noun: string): number {
  if (!RECORD_ID.test(text)) throw new DomainError(code, `There is no ${noun} ${text.slice(0, 20)}.`);
  return Number(text);
}
