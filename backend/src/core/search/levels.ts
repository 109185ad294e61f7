export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type Level = (typeof LEVELS)[number];

/** The names that programs use for each level. */
const NAMES: Readonly<Record<Level, string>> = {
  trace: 'trace trc trce trac verbose vrb finest spew silly',
  debug: 'debug dbg debu dbug debg fine finer',
  info: 'info inf information informational notice noti note log success config system',
  warn: 'warn wrn warning deprecation',
  error: 'error err erro eror fail failure severe',
  fatal: 'fatal ftl fata critical crit panic dpanic alert aler emerg emer emergency',
};

/** Also in capitals: changing the case of each word would take longer. */
export const LEVEL_BY_NAME = new Map(
  LEVELS.flatMap((level) =>
    `${NAMES[level]} ${NAMES[level].toUpperCase()}`.split(' ').map((name): [string, Level] => [name, level]),
  ),
);

/** A name may be followed by a number, as in `DEBUG2` of PostgreSQL and `trace8` of Apache. */
export function levelOfName(name: string): Level | null {
  const lower = (): string => name.toLowerCase().replace(/\d{1,2}$/, '');
  return LEVEL_BY_NAME.get(name) ?? LEVEL_BY_NAME.get(lower()) ?? null;
}
