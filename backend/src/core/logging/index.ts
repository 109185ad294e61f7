export { AppLogger } from './app-logger.js';
export { dropLostOutput, lostOutput, type LostOutput } from './lost-output.js';
export { plainLine, redact, registerSecret } from './redaction.js';
export {
  ACTOR_KINDS,
  currentActor,
  currentRequestId,
  OUTSIDE_ACTOR,
  runAs,
  runInRequest,
  setCurrentActor,
  SYSTEM_ACTOR,
  type Actor,
} from './request-context.js';
