import { redact } from '../../../core/logging/index.js';
import { isRecord } from '../../../core/values/index.js';

export interface Owner {
  home: string;
  user: string;
}

/** Keys with secret values in the configs of kind, kubeadm, containerd and registries. */
const SECRET_LINE =
  /^(\s*(?:- )?["']?[\w.-]*(?:token|secret|passwd|password|passphrase|credentials?|auth|apikey|api[-_]key|private[-_]?key|(?:key|certificate|authority|cert|ca)-data|encryption[-_]?key)["']?\s*[:=]\s*)(.*)$/i;
const REMOVED = '[removed]';
const SECRET_PATTERNS: readonly [RegExp, string][] = [
  // A name alone before the @ may be a token.
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"']{1,500}@/gi, '$1[removed]@'],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|dckr_pat_)[\w-]{10,}/g, '[token removed]'],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, '[key removed]'],
];

/**
 * Removes secrets and personal data, so that a text can be shared. It is stricter than the masking of logs, because
 * configs are included in full.
 */
export function scrub(text: string, { home, user }: Owner): string {
  let clean = redact(withoutSecretValues(text.split('\n')).join('\n'));
  for (const [pattern, replacement] of SECRET_PATTERNS) clean = clean.replace(pattern, replacement);
  if (home.length > 1 && home !== '/root') clean = clean.replaceAll(home, '~');
  if (!/^[\w.-]{2,}$/.test(user) || user === 'root') return clean;
  const name = user.replaceAll('.', '\\.');
  return clean.replace(new RegExp(`((?:/home|/Users|/run/media|/media)/)${name}\\b`, 'g'), '$1someone');
}

/** Scrubs all strings of a record. As JSON it would have no lines to match. */
export function scrubRecord(value: unknown, owner: Owner): unknown {
  if (typeof value === 'string') return scrub(value, owner);
  if (Array.isArray(value)) return value.map((entry) => scrubRecord(entry, owner));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      scrub(key, owner),
      typeof entry === 'string' && SECRET_LINE.test(`${key}: x`) ? REMOVED : scrubRecord(entry, owner),
    ]),
  );
}

/**
 * Removes the values of secret keys from lines of YAML, TOML or `key=value`, including multi-line values. The number of
 * lines does not change.
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
    const text = value.trim();
    if (key === undefined || text === '' || /^(null|~|""|'')\s*,?$/.test(text)) return line;
    // A plain or block scalar may continue in lines with more indentation.
    if (!/^["'[{]/.test(text)) removingBelow = indent;
    return `${key}${REMOVED}`;
  });
}
