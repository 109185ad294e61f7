/** A text, and sets of ASCII bytes that have to follow it one by one. */
export interface BytePattern {
  literal: string;
  /** For each byte that follows: 1 at the bytes that it may be. */
  tail: readonly Uint8Array[];
}

const MOST_TAIL = 64;
const PART = /(?:\\([dw]|[^A-Za-z0-9])|(\[[^\]]*\])|([\w =:;,<>@#%&~"'`/!-]))(\+|\{(\d+)(,\d*)?\})?/y;
const CLASS = /^\[(?:[\w =:;,<>@#%&~"'`/!.]-?|\\[dw.-])+\]$/;

/**
 * What an expression asks of bytes where it is as simple as `order=o-[0-9]{5}`: a text, then so many signs of ASCII of
 * such and such kinds. Its matches are found without a string being made of a line, and bytes beyond ASCII can be none
 * of them, whether they are UTF-8 or not. Null for any other expression.
 */
export function bytePattern(pattern: string, matchCase: boolean): BytePattern | null {
  let literal = '';
  const tail: Uint8Array[] = [];
  PART.lastIndex = 0;
  for (let at = 0; at < pattern.length; at = PART.lastIndex) {
    const part = PART.exec(pattern);
    if (!part) return null;
    const [, escaped, characterClass, plain, quantifier, least, more] = part;
    const single = plain ?? (escaped !== undefined && !/[dw]/.test(escaped) ? escaped : undefined);
    if (single !== undefined && single.charCodeAt(0) > 127) return null;
    // One that matches more often only ends the expression: then the fewest that it asks for are enough.
    const isOpen = quantifier === '+' || more !== undefined;
    if (isOpen && PART.lastIndex < pattern.length) return null;
    const times = Number(least ?? 1);
    if (times === 0 || tail.length + times > MOST_TAIL) return null;
    if (single !== undefined && tail.length === 0 && times === 1) {
      literal += single;
      continue;
    }
    if (characterClass !== undefined && !CLASS.test(characterClass)) return null;
    const set = setOf(
      characterClass ?? part[0].slice(0, part[0].length - (quantifier?.length ?? 0)),
      matchCase,
    );
    for (let time = 0; time < times; time += 1) tail.push(set);
  }
  return literal.length > 1 && tail.length > 0 ? { literal, tail } : null;
}

/** Whether the bytes from an offset on are what the tail of a pattern asks for. */
export function hasTail(text: Uint8Array, from: number, to: number, tail: readonly Uint8Array[]): boolean {
  if (from + tail.length > to) return false;
  for (let index = 0; index < tail.length; index += 1) {
    if ((tail[index] as Uint8Array)[text[from + index] as number] === 0) return false;
  }
  return true;
}

/** Asked of the engine itself, sign by sign. */
function setOf(single: string, matchCase: boolean): Uint8Array {
  const expression = new RegExp(`^${single}$`, matchCase ? '' : 'i');
  return Uint8Array.from({ length: 256 }, (_, byte) =>
    byte < 128 && expression.test(String.fromCharCode(byte)) ? 1 : 0,
  );
}
