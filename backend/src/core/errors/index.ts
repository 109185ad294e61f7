export { DomainError, hasCode, invalidField, invalidInput, type FieldProblem } from './domain-error.js';
export { errorCodes, type ErrorCode } from './error-codes.js';
export { CHALLENGE, errorBody, ErrorFilter, MAX_URL } from './error.filter.js';
export { fileFailure, storageFailure } from './storage-failure.js';
export { asSentence, reasonOf } from './reason-of.js';
