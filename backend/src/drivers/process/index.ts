export { CommandError } from './command-error.js';
export { LocalProcessRunner } from './local-process-runner.js';
export { findListener } from './port-listener.js';
export * from './process-runner.js';
export { removeFileLater } from './remove-file-later.js';
export { runExecutable, type ExecutableResult } from './run-executable.js';
