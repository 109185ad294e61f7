import { rawText } from '../format/raw-text';
import { ENTRY_GROUPS, type EntryGroup, type PaletteEntry } from './palette-entry';

interface TextPart {
  text: string;
  hit: boolean;
}

export interface RankedGroup {
  group: EntryGroup;
  entries: { entry: PaletteEntry; parts: TextPart[] }[];
  more: number;
}

const MAX_SHOWN = 7;

const EXACT = 100;
const PREFIX = 80;
const WORD_PREFIX = 60;
const SUBSTRING = 40;
const DETAIL_WORD_PREFIX = 30;
const DETAIL_SUBSTRING = 20;
const SCATTERED = 10;

/** Entries that contain every word of the query, best group first and best entry of each group first. */
export function rankEntries(entries: readonly PaletteEntry[], query: string): RankedGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = entries.flatMap((entry) => {
    if (words.length === 0 && entry.searchOnly) return [];
    const score = scoreOf(entry, words) ?? (entry.found ? SCATTERED : null);
    return score === null ? [] : [{ entry, score }];
  });
  return ENTRY_GROUPS.map((group) => {
    const found = scored.filter(({ entry }) => entry.group === group);
    // The sort is stable: equal scores keep their order.
    if (words.length > 0 && group !== 'names') found.sort((one, other) => other.score - one.score);
    return { group, found, best: Math.max(0, ...found.map(({ score }) => score)) };
  })
    .filter(({ found }) => found.length > 0)
    .sort((one, other) => other.best - one.best)
    .map(({ group, found }) => ({
      group,
      entries: found
        .slice(0, MAX_SHOWN)
        .map(({ entry }) => ({ entry, parts: markHits(rawText(entry.text), words) })),
      more: Math.max(0, found.length - MAX_SHOWN),
    }));
}

/** Splits a text into matching and other parts. Scattered letters are not marked. */
function markHits(text: string, words: readonly string[]): TextPart[] {
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

/** Null if a word does not match. */
function scoreOf({ text, detail, words: terms = '' }: PaletteEntry, words: readonly string[]): number | null {
  let score = 0;
  for (const word of words) {
    const wordScore = Math.max(
      textScore(text.toLowerCase(), word),
      detailScore(`${detail} ${terms}`.toLowerCase(), word),
    );
    if (wordScore === 0) return null;
    score += wordScore;
  }
  return words.length === 0 ? 0 : score / words.length;
}

function textScore(text: string, word: string): number {
  if (text === word) return EXACT;
  const at = placeOf(text, word);
  if (at === 0) return PREFIX;
  if (at > 0) return isWordStart(text, at) ? WORD_PREFIX : SUBSTRING;
  return isScatteredIn(text, word) ? SCATTERED : 0;
}

function detailScore(text: string, word: string): number {
  const at = placeOf(text, word);
  if (at < 0) return 0;
  return isWordStart(text, at) ? DETAIL_WORD_PREFIX : DETAIL_SUBSTRING;
}

/** Index of the match at the beginning of a word, or else of the first match; -1 without a match. */
function placeOf(text: string, word: string): number {
  const first = text.indexOf(word);
  for (let at = first; at >= 0; at = text.indexOf(word, at + 1)) if (isWordStart(text, at)) return at;
  return first;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}

/** Whether the letters occur in order, like `stg` in `staging`. Fewer than three letters would match nearly everything. */
function isScatteredIn(text: string, word: string): boolean {
  if (word.length < 3 || text[0] !== word[0]) return false;
  let at = -1;
  for (const letter of word) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}
