import { LEVELS, type Level } from '../../drivers/log-store/index.js';

const NAMES: Readonly<Record<Level, string>> = {
  trace: 'trace trc trac verbose finest',
  debug: 'debug dbg debu dbug fine',
  info: 'info inf information informational notice log',
  warn: 'warn wrn warning',
  error: 'error err erro eror fail failure severe',
  fatal: 'fatal ftl fata critical crit panic dpanic alert emerg emergency',
};

const BY_NAME = new Map(
  LEVELS.flatMap((level) => NAMES[level].split(' ').map((name): [string, Level] => [name, level])),
);

export const MAX_NAME_LENGTH = 13;

export function levelOfName(name: string): Level | null {
  return BY_NAME.get(name) ?? BY_NAME.get(name.toLowerCase()) ?? null;
}

/** The numbers of Pino and Bunyan: 10 is trace, 60 is fatal, and a number between two levels counts as the lower one. */
export function levelOfNumber(value: number): Level | null {
  if (!(value >= 10 && value < 100)) return null;
  return LEVELS[Math.floor(value / 10) - 1] ?? 'fatal';
}

/** syslog priorities as in the journal: 0 is emergency, 7 is debug. */
export function levelOfPriority(priority: number): Level | null {
  if (!(priority >= 0 && priority <= 7)) return null;
  if (priority <= 2) return 'fatal';
  if (priority === 3) return 'error';
  if (priority === 4) return 'warn';
  return priority === 7 ? 'debug' : 'info';
}
