import { spawn } from 'node:child_process';
import { guarded, guardedTimeout } from '../../core/errors/index.js';
import { BoundedText } from './bounded-text.js';

const STDERR_LIMIT = 4096;
/** How long the pipes may stay open after the program has ended, because a descendant holds them. */
const PIPES_GRACE_MS = 2000;

interface ExecutableRequest {
  /** Absolute. */
  path: string;
  /** Passed without a shell. */
  args: readonly string[];
  /** The whole environment: nothing is inherited. */
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Maximum characters of stdout. */
  outputLimit: number;
  /** Ends the program. */
  signal: AbortSignal;
}

export interface ExecutableResult {
  /** Null if a signal ended the program. */
  exitCode: number | null;
  /** Why Slipway ended the program; null if it ended by itself. */
  stopped: 'timed-out' | 'too-long' | 'aborted' | null;
  stdout: string;
  /** Without its middle if it is long. */
  stderr: string;
}

/**
 * Runs a program that the user has agreed to, unlike ProcessRunner, whose list of programs is closed. It has no stdin. To
 * stop it, its process group is killed.
 * @throws Error of Node if it cannot be started
 */
export async function runExecutable(request: ExecutableRequest): Promise<ExecutableResult> {
  const child = spawn(request.path, [...request.args], {
    detached: true,
    shell: false,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The folder in which Slipway was started means nothing to the program, and may no longer exist.
    cwd: '/',
    env: request.environment,
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // Without a process there may be no pipes either.
  if (child.pid === undefined) return { exitCode: await ended, stopped: null, stdout: '', stderr: '' };

  const group = -child.pid;
  let stopped: ExecutableResult['stopped'] = null;
  const releasePipes = (): void => {
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const stop = (reason: NonNullable<ExecutableResult['stopped']>): void => {
    stopped ??= reason;
    // Once the program has ended, the number of its group may be reused, and the user's browser may be in it.
    if (child.exitCode === null && child.signalCode === null) killGroup(group);
    releasePipes();
  };
  let stdout = '';
  const stderr = new BoundedText(STDERR_LIMIT);
  const takeOutput = guarded((text: string) => {
    stdout += text;
    if (stdout.length > request.outputLimit) stop('too-long');
  }, 'read the output of a program');
  const takeErrors = guarded((text: string) => stderr.append(text), 'read the errors of a program');
  child.stdout.setEncoding('utf8').on('data', takeOutput);
  child.stderr.setEncoding('utf8').on('data', takeErrors);
  child.once('exit', () => {
    setTimeout(releasePipes, PIPES_GRACE_MS).unref();
  });
  const onAbort = (): void => stop('aborted');
  request.signal.addEventListener('abort', onAbort, { once: true });
  if (request.signal.aborted) onAbort();
  const timer = guardedTimeout(() => stop('timed-out'), request.timeoutMs, 'end a program');
  try {
    return { exitCode: await ended, stopped, stdout, stderr: stderr.toString() };
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', onAbort);
  }
}

function killGroup(group: number): void {
  try {
    process.kill(group, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
