export { DomainError, hasCode, invalidField, invalidInput, type FieldProblem } from './domain-error.js';
export { errorCodes, type ErrorCode } from './error-codes.js';
export { CHALLENGE, errorBody, ErrorFilter, MAX_URL } from './error.filter.js';
export { decisiveSentence } from './decisive-sentence.js';
export { ExternalError } from './external-error.js';
export { networkReason } from './network-reason.js';
export { fileFailure, isDatabaseLocked, pathFailure, storageFailure } from './storage-failure.js';
export { asError, asSentence, reasonOf } from './reason-of.js';
export { guarded, guardedInterval, guardedTimeout } from './guarded.js';
