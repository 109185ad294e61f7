export { CommandError } from './command-error.js';
export { LocalProcessRunner } from './local-process-runner.js';
export { findListener } from './port-listener.js';
export * from './process-runner.js';
export { runExecutable, type ExecutableResult } from './run-executable.js';
