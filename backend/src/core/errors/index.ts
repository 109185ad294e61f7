export { DomainError, hasCode, invalidField, invalidInput, type FieldProblem } from './domain-error.js';
export { errorCodes, type ErrorCode } from './error-codes.js';
export { CHALLENGE, errorBody, ErrorFilter, MAX_URL } from './error.filter.js';
export { fileFailure, isDatabaseLocked, storageFailure } from './storage-failure.js';
export { asError, asSentence, reasonOf } from './reason-of.js';
export { guarded, guardedInterval, guardedTimeout } from './guarded.js';
