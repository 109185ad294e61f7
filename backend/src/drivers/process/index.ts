export { CommandError } from './command-error.js';
export { LocalProcessRunner } from './local-process-runner.js';
export { findListener } from './port-listener.js';
export { PROGRAMS, ProcessRunner } from './process-runner.js';
export type {
  LeftoverProcess,
  OutputLine,
  ProcessIdentity,
  ProcessRequest,
  ProcessResult,
  ProcessTracking,
} from './process-runner.js';
