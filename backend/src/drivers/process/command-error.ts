import { basename } from 'node:path';
import { decisiveSentence, ExternalError, pathFailure } from '../../core/errors/index.js';
import { plainLine, plainText, redact } from '../../core/logging/index.js';
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

/** A program that failed or could not run. Output and command line are redacted and have no control characters. */
export class CommandError extends ExternalError {
  readonly failure: CommandFailure;
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly commandLine: string;
  /** Why the program failed, in its own words; empty if it printed nothing. */
  readonly reason: string;

  constructor(parts: CommandErrorParts) {
    const reason = redact(decisiveSentence(parts.stderr ?? '') || decisiveSentence(parts.stdout ?? ''));
    const code = parts.failure === 'failed' ? 'command_failed' : 'command_unavailable';
    super(code, describe(parts, reason), { cause: parts.cause });
    this.name = 'CommandError';
    this.reason = reason;
    this.failure = parts.failure;
    this.exitCode = parts.exitCode ?? undefined;
    this.stdout = redact(plainText(parts.stdout ?? ''));
    this.stderr = redact(plainText(parts.stderr ?? ''));
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

function describe(
  { program, failure, exitCode, durationMs, cause }: CommandErrorParts,
  reason: string,
): string {
  switch (failure) {
    case 'not-found':
      return `${program} is not installed`;
    case 'not-started':
      return `could not start ${program}: ${pathFailure(cause)}`;
    case 'timed-out':
      return `${program} timed out after ${Math.round((durationMs ?? 0) / 1000)} s`;
    case 'aborted':
      return `${program} was stopped because the operation was cancelled`;
    case 'failed':
      return `${program} failed with exit status ${exitCode ?? 'unknown'}${reason ? `: ${reason.replace(/\.$/, '')}` : ''}`;
  }
}
