import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Says what is being done. */
export function say(text) {
  process.stderr.write(`slipway: ${text}\n`);
}

/** Ends with a sentence that says what to do. */
export function fail(text) {
  process.stderr.write(`slipway: ${text}\n`);
  process.exit(1);
}

/** Runs a program to its end with our own terminal. Resolves to its exit status. */
export function run(program, args, { environment = {}, quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: { ...process.env, ...environment },
      // npm is a script with another name there.
      shell: process.platform === 'win32' && program === 'npm',
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ status: 127, output: error.message }));
    child.on('close', (code, signal) => resolve({ status: code ?? (signal ? 128 : 1), output }));
  });
}

/** A program of node_modules/.bin, run by the project's own Node. */
export function tool(name) {
  return join(root, 'node_modules', '.bin', name);
}

const ownNode = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');

/** Whether a package brought Node 24 for this platform: optional dependencies do on Linux. */
export function hasOwnNode() {
  return existsSync(ownNode);
}

/** The Node that everything runs on: the project's own where it is there. */
export function nodeProgram() {
  return hasOwnNode() ? ownNode : process.execPath;
}

/** What runs the built server: a program and its arguments. */
export function serverCommand(...args) {
  return [join(root, 'bin', 'slipway'), ...args];
}

/** PATH with the project's own programs first, as npm makes it for its scripts. */
export function toolEnvironment() {
  const separator = process.platform === 'win32' ? ';' : ':';
  return { PATH: [join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(separator) };
}
