export { AppLogger } from './app-logger.js';
export { plainLine, redact, registerSecret } from './redaction.js';
export {
  currentActor,
  currentRequestId,
  runInRequest,
  setCurrentActor,
  SYSTEM_ACTOR,
  type Actor,
} from './request-context.js';
