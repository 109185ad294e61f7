export { AppLogger } from './app-logger.js';
export { plainLine, redact, registerSecret } from './redaction.js';
export { currentRequestId, runInRequest } from './request-context.js';
