/** A word of a text: where it is, and without its ending. */
export interface Word {
  text: string;
  stem: string;
  at: number;
}

interface Searchable {
  page: { name: string; title: string };
  heading: Word[];
  text: Word[];
}

export interface Ranked<T> {
  section: T;
  /** The first of the words of the text that are nearest to each other; undefined if the text has none. */
  nearest: Word | undefined;
}

const HEADING_WEIGHT = 3;
const TITLE_WEIGHT = 2;
const PREFIX_QUALITY = 0.5;
/** Words that need not be found, if at least this part of a query of three words or more is. */
const NEEDED = 0.6;
/** Words of a section with an average weight; longer ones contain many words by chance. */
const USUAL_LENGTH = 150;

/** Questions are mostly about problems and settings, and seldom about pages for programmers and contributors. */
const PAGE_WEIGHTS: Readonly<Record<string, number>> = {
  troubleshooting: 1.4,
  configuration: 1.25,
  api: 0.7,
  'log-board-socket': 0.7,
  victorialogs: 0.5,
  architecture: 0.2,
  changelog: 0.2,
  develop: 0.2,
  publish: 0.2,
  'threat-model': 0.4,
};

/** In questions; they say nothing about the section. */
const STOP_WORDS = new Set(
  'a an and are at be by can do does for from get how i if in is it long me my not of on or set so that the there this to what when where which why will with without you your'.split(
    ' ',
  ),
);

/** Words of users, and those of the pages for the same. */
const SYNONYMS: Readonly<Record<string, string>> = {
  autostart: 'service',
  autocomplete: 'completion',
  certificate: 'cert',
  env: 'variables',
  forgot: 'lost',
  forgotten: 'lost',
  https: 'tls',
  k8s: 'kubernetes',
  login: 'sign',
  logon: 'sign',
  offline: 'unreachable',
  ram: 'memory',
  rbac: 'scope',
  ssl: 'https',
  tls: 'https',
  update: 'upgrade',
};

/** Words of letters and digits: those of `APP_PORT` and `--wait-healthy` are two each. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: found, index }) => {
    const word = found.toLowerCase();
    return { text: word, stem: stemOf(word), at: index };
  });
}

/** The words of a query that count. */
export function queryWords(query: string): Word[] {
  const words = wordsOf(query);
  const meant = words.filter(({ text }) => !STOP_WORDS.has(text));
  return meant.length > 0 ? meant : words;
}

/** How well a word of a text matches one of a query, from 0 to 1. The beginning of a word is enough, because users type. */
export function qualityOf(word: Word, wanted: Word): number {
  if (word.stem === wanted.stem) return 1;
  const synonym = Object.hasOwn(SYNONYMS, wanted.text) ? SYNONYMS[wanted.text] : undefined;
  if (synonym !== undefined && word.stem === stemOf(synonym)) return 1;
  return wanted.text.length > 1 && word.text.startsWith(wanted.text) ? PREFIX_QUALITY : 0;
}

/**
 * Sections that contain every word of the query, or most words of a longer one, best first: rare words weigh more than
 * frequent ones, headings and titles more than text, and words that are near each other more than others.
 */
export function rankSections<T extends Searchable>(sections: readonly T[], query: string): Ranked<T>[] {
  const wanted = queryWords(query);
  if (wanted.length === 0) return [];
  const found = sections.map((section) => matchSection(section, wanted));
  const rarity = wanted.map((_, index) => {
    const count = found.filter(({ weights }) => (weights[index] ?? 0) > 0).length;
    return Math.log(1 + sections.length / (1 + count));
  });
  const needed = wanted.length < 3 ? wanted.length : Math.ceil(wanted.length * NEEDED);
  return found
    .map((one) => ({ ...one, share: one.weights.filter((weight) => weight > 0).length }))
    .filter(({ share }) => share >= needed)
    .map(({ section, weights, nearest, nearness, share }) => {
      const sum = weights.reduce((total, weight, index) => total + weight * (rarity[index] ?? 0), 0);
      const weight = (share / wanted.length) ** 2 * (PAGE_WEIGHTS[section.page.name] ?? 1);
      return { section, nearest, score: sum * (1 + nearness) * weight };
    })
    .sort((one, other) => other.score - one.score);
}

function matchSection<T extends Searchable>(
  section: T,
  wanted: readonly Word[],
): { section: T; weights: number[]; nearest: Word | undefined; nearness: number } {
  const { heading, text, page } = section;
  const title = wordsOf(page.title);
  const length = 0.5 + text.length / USUAL_LENGTH / 2;
  const best = (words: readonly Word[], each: Word): number =>
    Math.max(0, ...words.map((word) => qualityOf(word, each)));
  const weights = wanted.map((each) => {
    const count = text.reduce((sum, word) => sum + qualityOf(word, each), 0);
    // The second and later ones count less, and less in a long text.
    const inText = (count * 2) / (count + length);
    return best(heading, each) * HEADING_WEIGHT + best(title, each) * TITLE_WEIGHT + inText;
  });
  const { nearest, nearness } = nearestOf(text, wanted);
  return { section, weights, nearest, nearness: Math.max(nearness, nearestOf(heading, wanted).nearness) };
}

/** The shortest part of a text with all words of the query that it has. */
function nearestOf(
  text: readonly Word[],
  wanted: readonly Word[],
): { nearest: Word | undefined; nearness: number } {
  const hits = text.flatMap((word, place) => {
    const index = wanted.findIndex((each) => qualityOf(word, each) > 0);
    return index < 0 ? [] : [{ word, place, index }];
  });
  const all = new Set(hits.map(({ index }) => index)).size;
  let nearest = hits[0]?.word;
  let shortest = Infinity;
  const last = new Map<number, (typeof hits)[number]>();
  for (const hit of hits) {
    last.set(hit.index, hit);
    if (last.size < all) continue;
    const first = [...last.values()].reduce((one, other) => (other.place < one.place ? other : one));
    // Words in another order than in the query mostly say something else.
    const length = (hit.place - first.place + 1) * (first.index > hit.index ? 2 : 1);
    if (length >= shortest) continue;
    shortest = length;
    nearest = first.word;
  }
  return { nearest, nearness: all > 1 ? (2 * all * all) / wanted.length / shortest : 0 };
}

/** Without plural, `-ing`, `-ed` and what they change: `uses`, `used` and `using` are `us`, `stopped` is `stop`. */
function stemOf(word: string): string {
  if (word.length < 4) return word.replace(/e$/, '');
  return word
    .replace(/(?:(?<=\p{L}{3})(?:ing|ed)|ies|(?<=[^s])e?s)$/u, '')
    .replace(/([b-df-hj-np-tv-z])\1$/, '$1')
    .replace(/[ey]$/, '');
}
