import { basename } from 'node:path';
import { plainLine, redact } from '../../core/logging/index.js';
import type { Program } from './process-runner.js';

export type CommandFailure = 'not-found' | 'not-started' | 'failed' | 'timed-out' | 'aborted';

interface CommandErrorParts {
  program: Program;
  path?: string;
  args: readonly string[];
  failure: CommandFailure;
  exitCode?: number | null;
  stdout?: string;
  stderr?: string;
  durationMs?: number;
  cause?: unknown;
}

/** A program that failed or could not run. Output and command line are redacted. */
export class CommandError extends Error {
  readonly failure: CommandFailure;
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly commandLine: string;

  constructor(parts: CommandErrorParts) {
    super(describe(parts), { cause: parts.cause });
    this.name = 'CommandError';
    this.failure = parts.failure;
    this.exitCode = parts.exitCode ?? undefined;
    this.stdout = redact(parts.stdout ?? '');
    this.stderr = redact(parts.stderr ?? '');
    this.commandLine = commandLine(parts.path ? basename(parts.path) : parts.program, parts.args);
  }
}

/** A redacted command line, quoted for a POSIX shell. */
export function commandLine(program: string, args: readonly string[]): string {
  const quoted = [program, ...args].map((arg) =>
    /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`,
  );
  return redact(plainLine(quoted.join(' ')));
}

function describe({ program, failure, exitCode, stderr, durationMs, cause }: CommandErrorParts): string {
  switch (failure) {
    case 'not-found':
      return `${program} is not installed`;
    case 'not-started':
      return `could not start ${program}: ${cause instanceof Error ? cause.message : 'unknown reason'}`;
    case 'timed-out':
      return `${program} timed out after ${Math.round((durationMs ?? 0) / 1000)} s`;
    case 'aborted':
      return `${program} was stopped because the operation was cancelled`;
    case 'failed': {
      const reason = errorLine(stderr ?? '');
      return `${program} failed with exit status ${exitCode ?? 'unknown'}${reason ? `: ${reason}` : ''}`;
    }
  }
}

function errorLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => plainLine(line).trim())
    .filter((line) => line !== '');
  // Go programs print the cause on one line, followed by hints or traces. If one program called another, the inner
  // error is last and more precise ("docker: Error response from daemon: …").
  const error = lines.findLast((line) => /^([\w-]+: )?error\b/i.test(line));
  return redact((error ?? lines.at(-1) ?? '').slice(0, 500));
}
