export { AppLogger } from './app-logger.js';
export { dropLostOutput, lostOutput, type LostOutput } from './lost-output.js';
export { boundText, joinEnds, MAX_LINE, MAX_TEXT } from './bound-text.js';
export { mask, plainLine, plainText, redact, registerSecret } from './redaction.js';
export * from './request-context.js';
