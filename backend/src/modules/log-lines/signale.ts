import { levelOfName } from '../../core/search/index.js';
import type { Level } from '../../drivers/log-store/index.js';

/** Scopes, the pointer behind them, then the badge and the label of a type, both padded: `[shop] › ✖  error     `. */
const LINE = /^((?:(?:\[[^[\]]{1,60}\]|›) ){0,8})(?:([^\s\w]{1,4}) {2})?(?:([A-Za-z]{3,20}) {2})?/;
const BADGES: Readonly<Record<string, Level>> = { '✖': 'error', '⚠': 'warn', '⬤': 'debug' };
const OTHER_BADGES = '❤ℹ★✔…☒☐●▶◼';

/** The level of a line of signale, whose scope may be named like a level. Of types without a level of their own it is info. */
export function levelOfSignale(text: string): Level | null {
  const plain = text
    .trimStart()
    .slice(0, 400)
    .replaceAll(/\x1b\[\d{1,2}m/g, '');
  const [, scopes = '', badge = '', label = ''] = LINE.exec(plain) ?? [];
  const level = BADGES[badge] ?? (badge !== '' && OTHER_BADGES.includes(badge) ? 'info' : null);
  if (level === null && !scopes.includes('›')) return null;
  return levelOfName(label) ?? level ?? 'info';
}
