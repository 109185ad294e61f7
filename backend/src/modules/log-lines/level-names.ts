import type { Level } from '../../drivers/log-store/index.js';

/** Names of levels in lowercase. */
const NAMES: Readonly<Record<string, Level>> = {
  trace: 'trace',
  trc: 'trace',
  trac: 'trace',
  verbose: 'trace',
  finest: 'trace',
  debug: 'debug',
  dbg: 'debug',
  debu: 'debug',
  dbug: 'debug',
  fine: 'debug',
  info: 'info',
  inf: 'info',
  information: 'info',
  informational: 'info',
  notice: 'info',
  log: 'info',
  warn: 'warn',
  wrn: 'warn',
  warning: 'warn',
  error: 'error',
  err: 'error',
  erro: 'error',
  eror: 'error',
  fail: 'error',
  failure: 'error',
  severe: 'error',
  fatal: 'fatal',
  ftl: 'fatal',
  fata: 'fatal',
  critical: 'fatal',
  crit: 'fatal',
  panic: 'fatal',
  dpanic: 'fatal',
  alert: 'fatal',
  emerg: 'fatal',
  emergency: 'fatal',
};

const BY_NAME = new Map(Object.entries(NAMES));

/** Length of the longest name. */
export const MAX_NAME_LENGTH = 13;

/** The level with this name, case-insensitive. */
export function levelOfName(name: string): Level | null {
  return BY_NAME.get(name) ?? BY_NAME.get(name.toLowerCase()) ?? null;
}

/** The numbers of Pino and Bunyan: 10 is trace, 60 is fatal, and a number between two levels counts as the lower one. */
export function levelOfNumber(value: number): Level | null {
  if (!(value >= 10 && value < 100)) return null;
  if (value >= 60) return 'fatal';
  if (value >= 50) return 'error';
  if (value >= 40) return 'warn';
  if (value >= 30) return 'info';
  return value >= 20 ? 'debug' : 'trace';
}

/** syslog priorities as in the journal: 0 is emergency, 7 is debug. */
export function levelOfPriority(priority: number): Level | null {
  if (!(priority >= 0 && priority <= 7)) return null;
  if (priority <= 2) return 'fatal';
  if (priority === 3) return 'error';
  if (priority === 4) return 'warn';
  return priority === 7 ? 'debug' : 'info';
}
