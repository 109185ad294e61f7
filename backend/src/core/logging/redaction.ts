import { boundText } from './bound-text.js';

/**
 * Patterns of secrets that may appear in the output of other programs. Each keeps the context and removes the secret. A
 * pattern starts with fixed text and takes linear time: `npm run lint:regexes` checks it, and a test measures it.
 */
export const PATTERNS: readonly [RegExp, string][] = [
  [
    /\b((?:client-key-data|client-certificate-data|certificate-authority-data|id-token|refresh-token)["']?[ \t]{0,8}[:=]\s{0,8}["']?)[A-Za-z0-9+/=._-]+/g,
    '$1[removed]',
  ],
  [
    /\b(authorization["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?:(?:bearer|basic)[ \t]{1,8})?)[A-Za-z0-9+/=._~-]{8,}/gi,
    '$1[removed]',
  ],
  [/\b(bearer\s{1,8})[A-Za-z0-9+/=._~-]{8,}/gi, '$1[removed]'],
  [/([?&](?:token|ticket|access_token|password)=)[^&\s"'\\]+/gi, '$1[removed]'],
  [
    // A mark of a hidden value stays, because it shows whether the value changed.
    /((?:password|passwd|secret_key|encryption_key|app_pass|access_token|api_key)["']?[ \t]{0,8}[:=][ \t]{0,8}["']?)(?!<hidden(?:, changed)?>(?:\s|$))[^\s"',;&}\\]{3,}/gi,
    '$1[removed]',
  ],
  [/(:\/\/[^\s:/@"']{0,256}:)[^\s/@"']{1,4096}@/gi, '$1[removed]@'],
  // A JSON Web Token.
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[token removed]'],
  // An access token. Only its hash is stored, so after a restart `registerSecret` cannot know it.
  [/\bslipway_[\w-]{43}(?![\w-])/g, '[token removed]'],
  // kubeadm's bootstrap token, which kind prints when a join fails.
  [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, '[token removed]'],
];

const PEM_MARKER = /-----(BEGIN|END) ([A-Z0-9 ]{1,40})-----/g;
const CUT = 'characters omitted]';

/** Each value with the number of its owners: several may register the same one. */
const registered = new Map<string, number>();

/** Masks a value in all output. @returns a function that ends this, for a value that is no longer valid. */
export function registerSecret(value: string): () => void {
  if (value.length < 6) return () => undefined;
  registered.set(value, (registered.get(value) ?? 0) + 1);
  let isOwned = true;
  return () => {
    if (!isOwned) return;
    isOwned = false;
    const others = (registered.get(value) ?? 1) - 1;
    if (others > 0) registered.set(value, others);
    else registered.delete(value);
  };
}

/**
 * Bounds a text and masks everything in it that looks like a secret. Applied to every job log, journal entry and error.
 */
export function redact(text: string): string {
  return mask(boundText(text));
}

/** Masks a text that is already bounded, such as a log entry, whose fields are. */
export function mask(text: string): string {
  let result = text;
  for (const value of registered.keys()) result = result.replaceAll(value, '[removed]');
  result = withoutPem(result);
  for (const [pattern, replacement] of PATTERNS) result = result.replace(pattern, replacement);
  return result;
}

/** Removes keys and certificates, also those whose beginning or end was cut off. */
function withoutPem(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  let open: { at: number; label: string } | undefined;
  const remove = (from: number, to: number, label: string): void => {
    parts.push(text.slice(kept, from), `[${label} removed]`);
    kept = to;
  };
  for (const { 0: marker, 1: side, 2: label = '', index } of text.matchAll(PEM_MARKER)) {
    const end = index + marker.length;
    if (side === 'BEGIN') open ??= { at: index, label };
    else if (open?.label === label) {
      remove(open.at, end, label);
      open = undefined;
    } else if (!open) {
      const cut = text.lastIndexOf(CUT, index);
      if (cut >= kept) remove(cut + CUT.length, end, label);
    }
  }
  if (open) remove(open.at, text.length, open.label);
  return parts.length === 0 ? text : parts.join('') + text.slice(kept);
}

/**
 * Terminal escape sequences. Lengths are bounded, so that matching takes linear time. Of an unterminated sequence, only
 * the start is removed: the rest is text.
 */
const ESCAPE_SEQUENCES =
  /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]PX^_](?:[^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\))?|[ -/]{0,8}[0-~])?/g;
/** Control characters except tabs and line ends, and marks of a writing direction. */
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029]/g;
/** They reorder the text that follows, such as `gpj.exe`. A visible sign shows that the text was changed. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * The one cleaner for texts of other programs, which must neither control a terminal nor look like another text. Keeps
 * tabs and line ends.
 */
export function plainText(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(ESCAPE_SEQUENCES, '')
    .replace(INVISIBLE, '')
    .replace(REORDERING, '\ufffd');
}

/** The same as one line, so that it cannot forge a log entry. */
export function plainLine(text: string): string {
  return plainText(text).replace(/[\n\t]/g, ' ');
}
