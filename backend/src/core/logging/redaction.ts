/**
 * Patterns of secrets that may appear in the output of other programs. Each keeps the context and removes the secret. A
 * pattern must not start with a repetition: tried at every position, it takes quadratic time.
 */
const PATTERNS: readonly [RegExp, string][] = [
  // Matches up to the end marker or, if the output is truncated, to the end of the text.
  [/-----BEGIN ([A-Z0-9 ]{1,40})-----[\s\S]*?(-----END \1-----|$)/g, '[$1 removed]'],
  [
    /\b((?:client-key-data|client-certificate-data|certificate-authority-data|id-token|refresh-token)["']?\s*[:=]\s*["']?)[A-Za-z0-9+/=._-]+/g,
    '$1[removed]',
  ],
  [/\b(authorization["']?\s*[:=]\s*["']?(?:bearer|basic)?\s*)[A-Za-z0-9+/=._~-]{8,}/gi, '$1[removed]'],
  [/\b(bearer\s+)[A-Za-z0-9+/=._~-]{8,}/gi, '$1[removed]'],
  [/([?&](?:token|ticket|access_token|password)=)[^&\s"'\\]+/gi, '$1[removed]'],
  [
    /((?:password|passwd|secret_key|encryption_key|app_pass|access_token|api_key)["']?\s*[:=]\s*["']?)[^\s"',;&}\\]{3,}/gi,
    '$1[removed]',
  ],
  [/(:\/\/[^\s:/@"']*:)[^\s/@"']+@/gi, '$1[removed]@'],
  // A JSON Web Token.
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[token removed]'],
  // An access token. Only its hash is stored, so after a restart `registerSecret` cannot know it.
  [/\bslipway_[\w-]{43}(?![\w-])/g, '[token removed]'],
  // kubeadm's bootstrap token, which kind prints when a join fails.
  [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, '[token removed]'],
];

const registered = new Set<string>();

/** Masks a value in all output of this run. */
export function registerSecret(value: string): void {
  if (value.length >= 6) registered.add(value);
}

/** Masks everything that looks like a secret. Applied to every log, job log, journal entry and error. */
export function redact(text: string): string {
  let result = text;
  for (const value of registered) result = result.replaceAll(value, '[removed]');
  for (const [pattern, replacement] of PATTERNS) result = result.replace(pattern, replacement);
  return result;
}

const ESCAPE_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Removes control characters from the output of another program, so that it can neither control a terminal nor forge a log entry. */
export function plainLine(text: string): string {
  return text
    .replace(ESCAPE_SEQUENCES, '')
    .replace(CONTROL_CHARACTERS, '')
    .replace(/[\n\t]/g, ' ');
}
