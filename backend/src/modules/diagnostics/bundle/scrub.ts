import { boundText, mask } from '../../../core/logging/index.js';
import { jsonValue } from '../../../core/parsing/index.js';
import { isRecord } from '../../../core/values/index.js';
import { parseAllYaml, stringify, toValue } from '../../../core/yaml/index.js';
import { MAX_ON_MAIN_THREAD } from '../../../core/work/index.js';
import { allowedKey, allowedText, allowedValue, describe, isAllowedKey } from './allowed-values.js';

export interface Owner {
  home: string;
  user: string;
}

/** Characters of a file. Lines are bounded like all texts. */
const MAX_TEXT = 300_000;
/** Keys of our own records with text that people or programs wrote. */
const KEY_OF_SECRET =
  /pass|secret|token|auth|credential|key|cert|private|cookie|session|bearer|signature|encrypt/i;
/** `- key: value`, `"key": value`, `key = value`. */
const PAIR = /^(\s*(?:- )?)(["']?)([\w./-]{1,100})\2(\s{0,8}(?::\s{1,8}|=\s{0,8}))(\S.*)$/s;
/** A flag or variable with a value in quotes, which may contain spaces. */
const QUOTED =
  /(?<![\w-])(--?[A-Za-z][\w-]{0,60}|[A-Za-z_]\w{0,100}(?==))(=|\s{1,8})("[^"]{1,4096}"|'[^']{1,4096}')/g;
/** A flag with its value: `--token=x`, `--token x`, `"--token", "x"`, `-u me:x`. */
const FLAG =
  /(?<![\w-])(--?[A-Za-z][\w-]{0,60})(["']?(?:=|,\s{0,8}|\s{1,8})["']?)([^\s"',\]-][^\s"',\]]{0,4096})/g;
/** `NAME=value` in a command line or a URL. */
const VARIABLE = /(?<![\w./-])([A-Za-z_]\w{0,100})=(["']?)([^\s"',;&]+)/g;
/** `key: value` within a line, also in JSON that is quoted. */
const NAMED = /(?<!\w)(\w{1,60})(\\?["']?\s{0,4}:\s{0,4}\\?["']?)([^\s"',;}<[]{3,})/g;
/** Brackets of a line at which JSON may begin. Logs write some before it: `[init]`. */
const MAX_BRACKETS = 10;
const URL_USER = /(:\/\/)[^\s/@"']{1,500}@/g;
const KNOWN_TOKEN =
  /(?<![\w-])(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|dckr_pat_|AKIA|ASIA|sk-|npm_)[\w-]{10,}/g;

/** Removes what identifies the user, and secrets with a known form. */
function withoutIdentity(text: string, { home, user }: Owner): string {
  let clean = mask(boundText(text, MAX_TEXT))
    .replace(URL_USER, '$1[removed]@')
    .replace(KNOWN_TOKEN, '[token removed]');
  if (home.length > 1 && home !== '/root') clean = clean.replaceAll(home, '~');
  if (!/^[\w.-]{2,}$/.test(user) || user === 'root') return clean;
  for (const folder of ['/home/', '/Users/', '/run/media/', '/media/']) {
    clean = clean.replaceAll(folder + user, `${folder}someone`);
  }
  return clean;
}

/**
 * A log or message, in which lines of configs, JSON, flags and variables have harmless values only. The number of lines
 * does not change, except for keys in PEM.
 */
export function scrub(text: string, owner: Owner): string {
  return withoutIdentity(text, owner).split('\n').map(lineScrubber()).join('\n');
}

/** The lines of a text, whose number does not change. */
export function scrubLines(lines: readonly string[], owner: Owner): string[] {
  const scrubbed = lineScrubber();
  let inKey = false;
  return lines.map((line) => {
    const begins = line.includes('-----BEGIN ');
    if (!inKey && !begins) return scrubbed(withoutIdentity(line, owner));
    inKey = !line.includes('-----END ');
    return begins ? scrubbed(withoutIdentity(line, owner)) : describe(line);
  });
}

function lineScrubber(): (line: string) => string {
  /** Indentation of the key whose value continues in lines with more of it. */
  let below: number | undefined;
  /** Key of the value that the next line has. */
  let next: string | undefined;
  return (line) => {
    const indent = line.search(/\S/);
    if (indent === -1) return line;
    if (below !== undefined && indent > below) {
      return `${line.slice(0, indent)}${describe(line.slice(indent))}`;
    }
    below = undefined;
    const [, start = '', item = ''] = /^(\s*(?:- )?)(.*)$/s.exec(line) ?? [];
    const bare = item.replace(/^["']|["'],?$|,$/g, '');
    const key = next;
    next = /^--?[A-Za-z][\w-]{0,60}$/.test(bare) ? bare : undefined;
    if (next !== undefined) return line;
    if (key !== undefined && !bare.startsWith('-')) return start + allowedText(key, bare);
    return pairOf(line, () => (below = indent)) ?? inlineScrubbed(line);
  };
}

/** A line with a key and its value; undefined for another one. */
function pairOf(line: string, onContinuation: () => void): string | undefined {
  const [, start = '', quote = '', key, sign = '', value = ''] = PAIR.exec(line) ?? [];
  if (key === undefined) return undefined;
  if (value === '[removed]') onContinuation();
  if (value === '[removed]' || value.startsWith('<')) return line;
  const isSecret = isOfSecret(key);
  const written = (text: string): string => `${start}${quote}${allowedKey(key)}${quote}${sign}${text}`;
  if (/^[|>][-+\d]*$/.test(value)) {
    onContinuation();
    return line;
  }
  // A sentence after a word, such as `Error: could not …`.
  const isProse = !isSecret && quote === '' && /^:\s/.test(sign) && (isAllowedKey(key) || /\s/.test(value));
  if (isProse || (/^[[{]/.test(value) && quote !== '')) return undefined;
  if (!/^(?:["'{]|\[(?!removed\]))/.test(value)) onContinuation();
  const bare = value.replace(/\s#[^"'#]*$/, '').replace(/,$/, '');
  const inner = bare.replace(/^(["'])(.*)\1$/s, '$2');
  const kept = /^[[{]/.test(bare) ? describeList(key, bare) : allowedText(key, inner);
  return written(kept === inner ? value : kept);
}

function describeList(key: string, text: string): string {
  const value = jsonValue(text);
  return value === undefined ? describe(text) : JSON.stringify(allowedValue(value, describe, key));
}

/** JSON, flags and variables within a line. */
function inlineScrubbed(line: string): string {
  const [before, json, after] = jsonIn(line);
  if (json !== undefined) {
    return inlineScrubbed(before) + JSON.stringify(allowedValue(json, describe)) + inlineScrubbed(after);
  }
  return line
    .replace(QUOTED, (_all, name: string, sign: string, quoted: string) => {
      const [quote = '', value] = [quoted[0], quoted.slice(1, -1)];
      return name + sign + quote + (isDescribed(value) ? value : allowedText(name, value)) + quote;
    })
    .replace(FLAG, (all, flag: string, sign: string, value: string) =>
      isDescribed(value)
        ? all
        : flag + sign + (/^-\w$/.test(flag) ? describe(value) : allowedText(flag, value)),
    )
    .replace(VARIABLE, (all, name: string, quote: string, value: string) =>
      isDescribed(value) ? all : `${name}=${quote}${allowedText(name, value)}`,
    )
    .replace(NAMED, (all, key: string, sign: string, value: string) =>
      isOfSecret(key) ? key + sign + describe(value) : all,
    );
}

/** The value of a name/value pair may be one, too. */
function isOfSecret(key: string): boolean {
  return /^value$/i.test(key) || KEY_OF_SECRET.test(key);
}

function isDescribed(value: string): boolean {
  return /^[<[]/.test(value);
}

/** The first JSON map or list with maps in a line, with the texts around it. */
function jsonIn(line: string): [string, unknown, string] {
  const ends = [line.lastIndexOf('}'), line.lastIndexOf(']')];
  const starts = [...line.matchAll(/[{[]/g)].slice(0, MAX_BRACKETS);
  for (const { index: from } of starts) {
    for (const to of ends) {
      const value = to > from ? jsonValue(line.slice(from, to + 1)) : undefined;
      if (value !== undefined) return [line.slice(0, from), value, line.slice(to + 1)];
    }
  }
  return [line, undefined, ''];
}

/** A config of kind, in which only known harmless values stay. */
export function scrubConfig(text: string, owner: Owner): string {
  return withoutIdentity(allowedYaml(text) ?? allowedLines(text), owner);
}

function allowedYaml(text: string): string | undefined {
  if (Buffer.byteLength(text) > MAX_ON_MAIN_THREAD) return undefined;
  const documents = parseAllYaml(text, { version: '1.1' });
  if (documents.length === 0 || documents.some(({ errors }) => errors.length > 0)) return undefined;
  const values = documents.map((document) => toValue(document));
  // A text without structure is one that YAML only happens to accept.
  if (!values.every((value) => isRecord(value) || Array.isArray(value))) return undefined;
  return values.map((value) => stringify(allowedValue(value, embeddedConfig))).join('---\n');
}

/** kubeadm patches are YAML or JSON, those of containerd are TOML. */
function embeddedConfig(text: string): string {
  return allowedYaml(text) ?? allowedLines(text);
}

/** TOML, or YAML with errors: each line has a table, or a key and a value. */
function allowedLines(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      if (line.trim() === '' || /^\s*\[[\w."/:\s[\]-]*\]\s*$/.test(line)) return line;
      const [, start = '', name, sign = '', value = ''] =
        /^(\s*(?:- )?)(["\w./-]{1,200})(\s{0,8}[=:]\s{0,8})(.*)$/s.exec(line) ?? [];
      if (name === undefined) return /^\s*[\]}"']+,?\s*$/.test(line) ? line : describe(line.trim());
      const key = name.replaceAll('"', '').split('.').at(-1) ?? '';
      const kept = allowedText(key, value.trim().replace(/^"(.*)"$/, '$1'));
      return (
        start + allowedKey(name) + sign + (value.startsWith('"') && !kept.startsWith('<') ? value : kept)
      );
    })
    .join('\n');
}

/** Scrubs the texts of a record of Slipway. */
export function scrubRecord(value: unknown, owner: Owner, key = ''): unknown {
  if (typeof value === 'string') {
    return KEY_OF_SECRET.test(key) && value !== '' ? describe(value) : scrub(value, owner);
  }
  if (Array.isArray(value)) return value.map((entry) => scrubRecord(entry, owner, key));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([own, entry]) => [scrub(own, owner), scrubRecord(entry, owner, own)]),
  );
}

/** The log of Slipway: one record in each line. */
export function scrubLog(text: string, owner: Owner): string {
  return text
    .split('\n')
    .map((line) => {
      const entry = jsonValue(line);
      return isRecord(entry) ? JSON.stringify(scrubRecord(entry, owner)) : scrub(line, owner);
    })
    .join('\n');
}
