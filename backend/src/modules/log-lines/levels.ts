import { LEVEL_BY_NAME, levelOfName, LEVELS, type Level } from '../../core/search/index.js';

export const MAX_NAME_LENGTH = 13;

/** Words that are levels only where a text shows it: `LOG:  `, or behind a time. */
export const AMBIGUOUS = /^(?:log|fine|finer|alert|success|config)$/i;
/** Words that are levels only in brackets: `[Note]` of MySQL. */
export const BRACKETED = /^(?:note|system|spew)$/i;

/** Letters that begin a line of klog, and others. */
export const LETTERS: Readonly<Record<string, Level>> = {
  T: 'trace',
  D: 'debug',
  I: 'info',
  N: 'info',
  W: 'warn',
  E: 'error',
  C: 'fatal',
  F: 'fatal',
};

/** Behind the date of Redis. */
export const REDIS_MARKS: Readonly<Record<string, Level>> = {
  '.': 'debug',
  '-': 'debug',
  '*': 'info',
  '#': 'warn',
};

/** How a field writes the level. */
type Scale = (value: string) => Level | null;

/**
 * A number without a scale of its own. Pino and Bunyan: 10 is trace, 60 is fatal. Monolog: 100 is debug, 600 is an
 * emergency. Logback and Log4j: 5000 is trace, 50000 is fatal. A number between two levels counts as the lower one.
 */
export function levelOfNumber(value: number): Level | null {
  if (value >= 5000 && value <= 50_000) return levelOfPython(value / 1000);
  if (value >= 100 && value <= 600) {
    return at(['debug', 'info', 'warn', 'error'], Math.floor(value / 100) - 1);
  }
  return value >= 10 && value < 100 ? at(LEVELS, Math.floor(value / 10) - 1) : null;
}

/** syslog priorities as in the journal: 0 is emergency, 7 is debug. */
export function levelOfPriority(priority: number): Level | null {
  if (!(priority >= 0 && priority <= 7)) return null;
  return at(['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug'], priority);
}

/** 10 is debug, 50 is critical. */
function levelOfPython(value: number): Level | null {
  return value > 0 && value < 60
    ? at(['trace', 'debug', 'info', 'warn', 'error'], Math.floor(value / 10))
    : null;
}

/** 1 to 4 is trace, 21 to 24 is fatal. */
function levelOfOtel(value: number): Level | null {
  return value >= 1 && value <= 24 ? at(LEVELS, Math.floor((value - 1) / 4)) : null;
}

/** Google Cloud: 100 is debug, 800 is an emergency. */
function levelOfGoogle(value: number): Level | null {
  const isGoogle = value >= 100 && value <= 800;
  return isGoogle
    ? at(['debug', 'info', 'info', 'warn', 'error'], Math.floor(value / 100) - 1)
    : levelOfNumber(value);
}

/** The level with this number; a higher one is fatal. */
function at(levels: readonly Level[], index: number): Level {
  return levels[index] ?? 'fatal';
}

/** A name, also with an offset as slog writes it (`WARN+1`), a letter, or a number on a scale. */
function scaled(levelOf: (value: number) => Level | null): Scale {
  return (value) => {
    const known = LEVEL_BY_NAME.get(value);
    if (known) return known;
    const name = value.trim();
    if (/^\d/.test(name)) return levelOf(Number(name));
    return LETTERS[name] ?? levelOfName(name.replace(/[+-]\d{1,3}$/, ''));
  };
}

const plain = scaled(levelOfNumber);
const syslog = scaled(levelOfPriority);
const mongo: Scale = (value) =>
  /^(?:F|E|W|I|D[1-5]?)$/.test(value) ? (LETTERS[value.charAt(0)] ?? null) : null;

/** Fields of JSON with the level, in lowercase if any case will do, with the names of the objects around them. */
export const FIELDS: ReadonlyMap<string, Scale> = new Map([
  ...[
    ...['level', 'lvl', 'loglevel', 'log_level', 'log-level', 'log.level', 'levelname', 'level_name'],
    ...['severitytext', 'severity_text', 'error_severity', 'levelstr', 'level_value', '@level', '@l', 'sev'],
    ...['log.severity', 'log.syslog.severity.name', 'fields.level', 'level.name', 'record.level.name'],
    ...['_meta.loglevelname'],
  ].map((name): [string, Scale] => [name, plain]),
  ['severity', scaled(levelOfGoogle)],
  ['severitynumber', scaled(levelOfOtel)],
  ['severity_number', scaled(levelOfOtel)],
  ['levelno', scaled(levelOfPython)],
  // Of the journal. A `priority` is mostly something else.
  ['PRIORITY', syslog],
  ['log.syslog.severity.code', syslog],
  ['syslog_severity', syslog],
  ['syslogseverity', syslog],
  ['s', mongo],
]);

const nextcloud = scaled((value) => at(['debug', 'info', 'warn', 'error'], value));

/** Fields with the level in one format only, by another field of that format: GELF, Nextcloud, MySQL and others. */
export const FIELDS_OF_FORMATS: readonly [name: string, sign: RegExp, scale: Scale][] = [
  ['level', /"short_message"/, syslog],
  ['level', /"reqId"/, nextcloud],
  ['label', /"err_code"/, plain],
  ['priority', /"rule"/, plain],
];

/** Objects that may contain one of these fields. */
export const PARENTS: ReadonlySet<string> = new Set(
  [...FIELDS.keys()].flatMap((name) =>
    name.split('.').flatMap((_, index, parts) => (index === 0 ? [] : [parts.slice(0, index).join('.')])),
  ),
);

/** Names of logfmt. `loglevel=` is a setting more often than a level. */
export const PAIR_NAMES = ['level=', 'LEVEL=', 'lvl=', 'severity=', 'log.level=', 'severity_text='] as const;
