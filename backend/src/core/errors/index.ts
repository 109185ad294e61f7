export { DomainError, hasCode, invalidField, invalidInput } from './domain-error.js';
export type { FieldProblem } from './domain-error.js';
export { errorCodes } from './error-codes.js';
export type { ErrorCode } from './error-codes.js';
export { CHALLENGE, errorBody, ErrorFilter } from './error.filter.js';
export { fileFailure, storageFailure } from './storage-failure.js';
export { asSentence, reasonOf } from './reason-of.js';
