import { ENTRY_GROUPS, type EntryGroup, type PaletteEntry } from './palette-entry';

/** A piece of an entry's text, and whether it is what was typed. */
export interface TextPart {
  text: string;
  hit: boolean;
}

export interface RankedEntry {
  entry: PaletteEntry;
  parts: TextPart[];
}

export interface RankedGroup {
  group: EntryGroup;
  entries: RankedEntry[];
  /** How many more fit, which are not shown. */
  more: number;
}

/** As many as one looks over at a glance; who wants another types on. */
const SHOWN_OF_GROUP = 7;

const WHOLE = 100;
const BEGINS = 80;
const BEGINS_A_WORD = 60;
const HOLDS = 40;
const BESIDE_BEGINS = 30;
const BESIDE_HOLDS = 20;
const SCATTERED = 10;

/** What fits what was typed: every word somewhere in an entry, the best group and the best of each group first. */
export function rankEntries(entries: readonly PaletteEntry[], query: string): RankedGroup[] {
  const words = wordsOf(query);
  const scored = entries.flatMap((entry) => {
    if (words.length === 0 && entry.whenAsked) return [];
    const score = scoreOf(entry, words) ?? (entry.found ? SCATTERED : null);
    return score === null ? [] : [{ entry, score }];
  });
  return ENTRY_GROUPS.map((group) => {
    const found = scored.filter(({ entry }) => entry.group === group);
    // A sort keeps the order of what fits equally well.
    if (words.length > 0 && group !== 'names') found.sort((one, other) => other.score - one.score);
    return { group, found, best: Math.max(0, ...found.map(({ score }) => score)) };
  })
    .filter(({ found }) => found.length > 0)
    .sort((one, other) => other.best - one.best)
    .map(({ group, found }) => ({
      group,
      entries: found
        .slice(0, SHOWN_OF_GROUP)
        .map(({ entry }) => ({ entry, parts: markHits(entry.text, words) })),
      more: Math.max(0, found.length - SHOWN_OF_GROUP),
    }));
}

export function wordsOf(query: string): string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** A text in pieces, with what was typed set apart. Letters that are scattered in it are not. */
export function markHits(text: string, words: readonly string[]): TextPart[] {
  const lower = text.toLowerCase();
  const hit = new Array<boolean>(text.length).fill(false);
  for (const word of words) {
    const at = placeOf(lower, word);
    if (at >= 0) hit.fill(true, at, at + word.length);
  }
  const parts: TextPart[] = [];
  for (const [index, character] of [...text].entries()) {
    const last = parts.at(-1);
    if (last && last.hit === hit[index]) last.text += character;
    else parts.push({ text: character, hit: hit[index] ?? false });
  }
  return parts;
}

/** Null where some word is nowhere in it. */
function scoreOf(
  { text, detail, words: further = '' }: PaletteEntry,
  words: readonly string[],
): number | null {
  let score = 0;
  for (const word of words) {
    const fit = Math.max(
      fitOf(text.toLowerCase(), word),
      besideOf(`${detail} ${further}`.toLowerCase(), word),
    );
    if (fit === 0) return null;
    score += fit;
  }
  return words.length === 0 ? 0 : score / words.length;
}

function fitOf(text: string, word: string): number {
  if (text === word) return WHOLE;
  const at = placeOf(text, word);
  if (at === 0) return BEGINS;
  if (at > 0) return beginsWord(text, at) ? BEGINS_A_WORD : HOLDS;
  return isScatteredIn(text, word) ? SCATTERED : 0;
}

function besideOf(text: string, word: string): number {
  const at = placeOf(text, word);
  if (at < 0) return 0;
  return beginsWord(text, at) ? BESIDE_BEGINS : BESIDE_HOLDS;
}

/** Where a word begins with it, and else where it is at all; -1 where it is not. */
function placeOf(text: string, word: string): number {
  const first = text.indexOf(word);
  for (let at = first; at >= 0; at = text.indexOf(word, at + 1)) if (beginsWord(text, at)) return at;
  return first;
}

function beginsWord(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}

/** `stg` in `staging`: its letters in their order. Of fewer than three letters nearly everything would fit. */
function isScatteredIn(text: string, word: string): boolean {
  if (word.length < 3 || text[0] !== word[0]) return false;
  let at = -1;
  for (const letter of word) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}
