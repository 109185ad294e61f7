import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** PATH with the project's own programs first, as npm makes it for its scripts. The optional packages bring Node.js 24. */
export const PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);

export function say(text) {
  process.stderr.write(`slipway: ${text}\n`);
}

/** Prints an error with its solution, and exits. */
export function fail(text) {
  say(text);
  process.exit(1);
}

/**
 * Runs a program in the project's root folder to its end.
 * @param quiet keeps the output for the result, instead of showing it.
 */
export function run(program, args, { environment = {}, quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: { ...process.env, PATH, ...environment },
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ status: 127, output: error.message }));
    child.on('close', (code, signal) => resolve({ status: code ?? (signal ? 128 : 1), output }));
  });
}

/** The command line of the built server: a program and its arguments. */
export function serverCommand(...args) {
  return [join(root, 'bin', 'slipway'), ...args];
}
