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

/** A program that did not do what it was asked. Prints as a command line that can be pasted, without secrets. */
export class CommandError extends Error {
  readonly program: Program;
  readonly failure: CommandFailure;
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  /** The command as one would type it, redacted. */
  readonly commandLine: string;

  constructor(parts: CommandErrorParts) {
    super(describe(parts), { cause: parts.cause });
    this.name = 'CommandError';
    this.program = parts.program;
    this.failure = parts.failure;
    this.exitCode = parts.exitCode ?? undefined;
    this.stdout = redact(parts.stdout ?? '');
    this.stderr = redact(parts.stderr ?? '');
    this.durationMs = parts.durationMs ?? 0;
    this.commandLine = commandLine(parts.path ? basename(parts.path) : parts.program, parts.args);
  }
}

/** Quotes where a POSIX shell needs it. */
export function commandLine(program: string, args: readonly string[]): string {
  const quoted = [program, ...args].map((arg) =>
    /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`,
  );
  return redact(plainLine(quoted.join(' ')));
}

function describe({ program, failure, exitCode, stderr, durationMs, cause }: CommandErrorParts): string {
  switch (failure) {
    case 'not-found':
      return `${program} is not on this machine`;
    case 'not-started':
      return `${program} could not be started: ${cause instanceof Error ? cause.message : 'unknown reason'}`;
    case 'timed-out':
      return `${program} did not finish within ${Math.round((durationMs ?? 0) / 1000)} s and was ended`;
    case 'aborted':
      return `${program} was ended because the operation was cancelled`;
    case 'failed': {
      const lastLine = lastMeaningfulLine(stderr ?? '');
      return `${program} failed with exit status ${exitCode ?? 'unknown'}${lastLine ? `: ${lastLine}` : ''}`;
    }
  }
}

function lastMeaningfulLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => plainLine(line).trim())
    .filter((line) => line !== '');
  // Go programs put the cause in a line of its own, followed by hints or traces; where one program called
  // another, the inner one comes last and knows better ("docker: Error response from daemon: …").
  const error = lines.findLast((line) => /^([\w-]+: )?error\b/i.test(line));
  return redact((error ?? lines.at(-1) ?? '').slice(0, 500));
}
