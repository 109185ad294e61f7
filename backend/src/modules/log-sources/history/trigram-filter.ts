/**
 * A filter over the trigrams of a text: a bit for each, by hash. A text that holds a needle has the bits of all of
 * the needle's trigrams; few others do. ASCII letters count as small ones, so that it serves both ways of comparing.
 *
 * One bit in sixty-four bits of text: logs repeat themselves, so that about a third of the bits are set, and a needle
 * of six trigrams is found where it is not in one of a thousand.
 */
const TEXT_BITS_EACH = 8;
const LEAST_BYTES = 64;
export const MOST_FILTER_BYTES = 8 * 1024;

export function trigramFilterOf(text: Uint8Array): Uint8Array {
  let bytes = LEAST_BYTES;
  while (bytes < MOST_FILTER_BYTES && bytes * TEXT_BITS_EACH * 8 < text.length) bytes *= 2;
  const filter = new Uint8Array(bytes);
  const mask = bytes * 8 - 1;
  let window = 0;
  for (let index = 0; index < text.length; index += 1) {
    window = ((window << 8) | small(text[index] as number)) & 0xffffff;
    if (index < 2) continue;
    const bit = hash(window) & mask;
    filter[bit >> 3] = (filter[bit >> 3] as number) | (1 << (bit & 7));
  }
  return filter;
}

/** False where the text surely does not hold the needle. One shorter than three bytes tells nothing. */
export function mayHold(filter: Uint8Array, needle: Uint8Array): boolean {
  if (filter.length === 0) return true;
  const mask = filter.length * 8 - 1;
  let window = 0;
  for (let index = 0; index < needle.length; index += 1) {
    window = ((window << 8) | small(needle[index] as number)) & 0xffffff;
    if (index < 2) continue;
    const bit = hash(window) & mask;
    if (((filter[bit >> 3] as number) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

function small(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte + 32 : byte;
}

function hash(window: number): number {
  return Math.imul(window, 0x9e3779b1) >>> 12;
}
