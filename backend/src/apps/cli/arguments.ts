import { InvalidArgumentError, Option, type Command } from 'commander';
import { ADOPTED_CLUSTER_NAME, JOB_ID, RUNTIME_ID } from '../../core/security/grammar.js';
import { readAgo, readTime } from '../../core/values/index.js';
import type { Level } from '../../drivers/log-store/index.js';

/** A parser for an argument or option of a grammar. The message completes "It must be …". */
export function matching(grammar: RegExp, meaning: string): (text: string) => string {
  return (text) => {
    if (!grammar.test(text)) throw new InvalidArgumentError(`It must be ${meaning}.`);
    return text;
  };
}

/** A parser for a whole number in a range. */
export function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < minimum || value > maximum) {
      throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
    }
    return value;
  };
}

export const clusterName = matching(ADOPTED_CLUSTER_NAME, 'the name of a cluster, such as staging');

export function jobId(text: string): number {
  return Number(matching(JOB_ID, 'the number of a job, such as 12')(text));
}

/** `--runtime`, for a name that clusters of several engines have. */
export function runtimeOption(): Option {
  return new Option(
    '--runtime <engine>',
    'Container engine, or kubeconfig for an external cluster, if several clusters have this name',
  ).argParser(matching(RUNTIME_ID, 'a container engine, such as docker, or kubeconfig'));
}

/** `--wait`, the default of commands that start a job, and `--no-wait`. */
export function addWaitOptions(command: Command): Command {
  return command
    .addOption(new Option('--wait', 'Wait for the job and show its progress').default(true))
    .addOption(new Option('--no-wait', 'Only start the job'));
}

/** `--wait-healthy` of commands whose job installs or creates something. */
export function waitHealthyOption(): Option {
  return new Option(
    '--wait-healthy',
    'Wait 30 s more, and fail if what the job installed or created does not work',
  );
}

/** A time in RFC 3339. Accepts also how long it is ago, such as `15m`. */
export function timeText(text: string): string {
  const ago = readAgo(text);
  if (ago !== undefined) return new Date(Date.now() - ago / 1000).toISOString();
  if (readTime(text) !== undefined) return text;
  throw new InvalidArgumentError(
    'It must be a time such as 2026-11-21T09:30:00Z, or how long ago it is, such as 15m, 2h or 7d.',
  );
}

/** Levels of log lines, and `none` for lines without one. Not those of the driver, which would load it. */
export const LEVELS = [
  'trace',
  'debug',
  'info',
  'warn',
  'error',
  'fatal',
  'none',
] as const satisfies readonly (Level | 'none')[];

export const LEVEL_OPTION = `Only these levels, comma separated: ${LEVELS.join(', ')}`;

/** Comma-separated levels of log lines. */
export function levels(text: string): string[] {
  const wanted = text.split(',');
  if (wanted.every((level) => (LEVELS as readonly string[]).includes(level))) return wanted;
  throw new InvalidArgumentError(`It must be one or more of ${LEVELS.join(', ')}, comma separated.`);
}
