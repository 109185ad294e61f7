/** A value that was parsed from JSON of others. Read it with the readers of this folder, never by a cast. */
type Json = string | number | boolean | null | Json[] | JsonObject;
interface JsonObject {
  [key: string]: Json | undefined;
}

/** In characters: more than the longest response that is read from an API server. */
const MAX_JSON = 128 * 1024 * 1024;

/**
 * Parses JSON of others; all of it is parsed here. A key `__proto__` is an own field like any other, which readers drop.
 * @throws Error for invalid JSON, without quoting it, and for a text that is too long
 */
export function parseJson(text: string, maxLength = MAX_JSON): Json {
  if (text.length > maxLength) throw new Error(`JSON of ${text.length} characters is too long`);
  try {
    return JSON.parse(text) as Json;
  } catch {
    // The message of the library quotes the text, which may contain a secret.
    throw new SyntaxError('the text is not valid JSON');
  }
}

/** The same, but undefined if the text cannot be parsed. */
export function jsonValue(text: string, maxLength = MAX_JSON): Json | undefined {
  try {
    return parseJson(text, maxLength);
  } catch {
    return undefined;
  }
}

/** JSON that Slipway itself has written, such as a column of its database, so that its type is known. */
export function parseOwnJson<TValue>(text: string): TValue {
  return parseJson(text) as TValue;
}
