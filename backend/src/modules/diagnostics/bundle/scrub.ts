import { redact } from '../../../core/logging/index.js';

/** Who the text must not tell of: it goes to strangers. */
export interface Owner {
  home: string;
  user: string;
}

/** Keys whose values are secrets in the configs of kind, kubeadm, containerd and registries. */
const SECRET_LINE =
  /^(\s*(?:- )?["']?[\w.-]*(?:token|secret|passwd|password|passphrase|credentials?|auth|apikey|api[-_]key|private[-_]?key|(?:key|certificate|authority|cert|ca)-data|encryption[-_]?key)["']?\s*[:=]\s*)(.*)$/i;
const REMOVED = '[removed]';
const FURTHER: readonly [RegExp, string][] = [
  // A name alone before the @ may be a token.
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"']{1,500}@/gi, '$1[removed]@'],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|dckr_pat_)[\w-]{10,}/g, '[token removed]'],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, '[key removed]'],
];

/**
 * Makes a text fit to be handed to somebody else: stricter than a log, as what was said in a config is there
 * whole, and without the name of whoever sits here.
 */
export function scrub(text: string, { home, user }: Owner): string {
  let clean = redact(withoutSecretValues(text.split('\n')).join('\n'));
  for (const [pattern, replacement] of FURTHER) clean = clean.replace(pattern, replacement);
  if (home.length > 1 && home !== '/root') clean = clean.replaceAll(home, '~');
  if (!/^[\w.-]{2,}$/.test(user) || user === 'root') return clean;
  const name = user.replaceAll('.', '\\.');
  return clean.replace(new RegExp(`((?:/home|/Users|/run/media|/media)/)${name}\\b`, 'g'), '$1someone');
}

/** The same for everything within a record: text by text, before it is written as JSON and has no lines any more. */
export function scrubRecord(value: unknown, owner: Owner): unknown {
  if (typeof value === 'string') return scrub(value, owner);
  if (Array.isArray(value)) return value.map((entry) => scrubRecord(entry, owner));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      scrub(key, owner),
      typeof entry === 'string' && SECRET_LINE.test(`${key}: x`) ? REMOVED : scrubRecord(entry, owner),
    ]),
  );
}

/**
 * Takes the values of secret keys out of lines of YAML, TOML or `key=value` alike, and leaves as many lines. A
 * value of several lines goes with all of them.
 */
export function withoutSecretValues(lines: readonly string[]): string[] {
  let removingBelow: number | undefined;
  return lines.map((line) => {
    const indent = line.search(/\S/);
    if (removingBelow !== undefined) {
      if (indent === -1) return line;
      if (indent > removingBelow) return `${line.slice(0, indent)}${REMOVED}`;
      removingBelow = undefined;
    }
    const [, key, value = ''] = SECRET_LINE.exec(line) ?? [];
    const given = value.trim();
    if (key === undefined || given === '' || /^(null|~|""|'')\s*,?$/.test(given)) return line;
    // A plain value may go on in lines that are indented further, as one behind a sign for that does.
    if (!/^["'[{]/.test(given)) removingBelow = indent;
    return `${key}${REMOVED}`;
  });
}
