import type { Level } from '../../drivers/log-store/index.js';

/** Words by which programs name a level, in small letters. */
const WORDS: Readonly<Record<string, Level>> = {
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

const BY_WORD = new Map(Object.entries(WORDS));

/** Longest of them. */
export const LONGEST_WORD = 13;

/** The level that a word names, whatever its case. */
export function levelOfWord(word: string): Level | null {
  return BY_WORD.get(word) ?? BY_WORD.get(word.toLowerCase()) ?? null;
}

/** Pino's and Bunyan's numbers: 10 is trace, 60 fatal, and what is between counts as the one below. */
export function levelOfNumber(value: number): Level | null {
  if (!(value >= 10 && value < 100)) return null;
  if (value >= 60) return 'fatal';
  if (value >= 50) return 'error';
  if (value >= 40) return 'warn';
  if (value >= 30) return 'info';
  return value >= 20 ? 'debug' : 'trace';
}

/** syslog's priorities, as the journal has them: 0 is an emergency, 7 debug. */
export function levelOfPriority(priority: number): Level | null {
  if (!(priority >= 0 && priority <= 7)) return null;
  if (priority <= 2) return 'fatal';
  if (priority === 3) return 'error';
  if (priority === 4) return 'warn';
  return priority === 7 ? 'debug' : 'info';
}
