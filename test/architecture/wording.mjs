import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Words that Kubernetes' own documentation would not use for what we mean. STYLE: the glossary of CONTRIBUTING.md. */
const WORDS = [
  'anew',
  'whence',
  'whither',
  'thither',
  'hither',
  'hitherto',
  'henceforth',
  'thereof',
  'wherein',
  'therein',
  'forthwith',
  'befalls?',
  'befell',
  'befallen',
  'nobody',
  'nobody’s',
  'somebody',
  'whoever',
  'whomever',
  'told',
  'stands',
  'stood',
  'lest',
  'aught',
  'naught',
  'begun',
  'mend(?:s|ed|ing)?',
  'amiss',
  'lies',
  'lain',
  'bids?',
  'forbear',
];

/** Phrases of the same kind, and idioms that a reader from elsewhere stumbles over. */
const PHRASES = [
  'must be told',
  '(?:is|are|was|be) none',
  'none that',
  'none of it',
  'at work',
  'what names none',
  'names none',
  'who (?:reads|asks|comes|looks|wants|has|is)',
  'by itself alone',
  'as (?:it|they) (?:holds?|stands?)',
  'comes? by',
  'came of',
  'leads? into',
  'in the way',
  'let it go',
  'look(?:s|ed)? again',
  'nothing of (?:it|them)',
  '(?:is|are|was|were) not known',
  '(?:is|are|was|were) not said',
  'all the same',
  'in vain',
  'of its own accord',
  'where it stands',
  'how it stands',
  'comes? to an end',
  'came to an end',
  'that is all there is',
  '(?:is|are) asked',
  '(?:was|were) asked',
  'asks? (?:for|whether|how|what|the|it|them|again)',
  'asked (?:whether|how|what|the|it|them|again)',
  'answers? (?:with|that|to)',
  'answered (?:with|by|that)',
  'that was found',
  'what was (?:left|found|made|kept|asked|meant|there|written|said|given)',
  'what is (?:left|found|made|kept|asked|meant|there|written|said|given)',
  'this machine’s',
  'never mind',
  'has come',
  'have come',
  'had come',
  'has ended badly',
  'out of nothing',
  'is worth nothing',
  'to no avail',
];

/** Names that a standard term has replaced (the glossary), in any case, also in identifiers and file names. */
const NAMES = [
  'RequestGate',
  'nothingHere',
  'nothing-here',
  'changeLimit',
  'layFoundation',
  'lay-foundation',
  'LaidFoundation',
  'fateOf',
  'LossFinder',
  'cautions',
  'putRight',
  'takeBack',
  'keepWhatWasMade',
  'patiently',
  'AnswerBounds',
  'bareAnswer',
  '@Answers\\b',
  'differenceOf',
  'DifferenceDto',
  '[Ss]helf\\b',
  '\\bHearing\\b',
  '\\b(?-i:Followers)\\b',
  'UnkeptLines',
  'unkept',
  '\\bLineFeed\\b',
  'SegmentOwner',
  'SourceBook',
  'giveBack',
  'FoundLines',
  'HeadLevels',
  'SignInNews',
  'sign-in-news',
  'WayBack\\b',
  '(?<!slip)way-back',
  'BoardTabs',
  'board-tabs',
  '\\bWish\\b',
  '\\bGround\\b',
  '\\b(?-i:Beginning)\\b',
  '[Ee]xplod(?:e|es|ed|ing)\\b',
  '-words\\b',
  '\\bfreeze-cluster',
  'test/house',
];

/** Terms with an accepted meaning beside the one that is listed, and names of rules that are not ours. */
const ALLOWED =
  /\bregular expression|\bRegular expression|\bcron expression|cspell:ignore|@typescript-eslint/;

const WORDING = new RegExp(`\\b(?:${[...WORDS, ...PHRASES].join('|')})\\b`, 'gi');
const OLD_NAME = new RegExp(NAMES.join('|'), 'gi');
const EXPRESSION = /(?<!regular |cron |label |field )\bexpressions?\b/g;

/** A comment says why, or names its subject. A clause without a subject is neither. */
const HEADLESS = /^\s*(?:\/\*\*?|\/\/|\*|#) What\b/g;

const READ = /\.(?:ts|mjs|cjs|js|html|scss|md|ya?ml)$/;
const LEFT_OUT =
  // The syntax tree of JavaScript has expressions.
  /^(?:test\/transcripts\/|test\/(?:house|architecture)\/wording|openapi|package|scripts\/eslint\/)|^backend\/.*\/schema/;

/** @returns {{ file: string, line: number, word: string, text: string }[]} each listed word in a text file of the project. */
export function findOldWording(root, folders = []) {
  const files = execFileSync('git', ['-C', root, 'ls-files', ...folders], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => READ.test(file) && !LEFT_OUT.test(file));
  return files.flatMap((file) => {
    const found = (file.match(OLD_NAME) ?? []).map((word) => ({ file, line: 0, word, text: file }));
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .forEach((text, index) => {
        if (ALLOWED.test(text)) return;
        const words = [WORDING, OLD_NAME, EXPRESSION, HEADLESS].flatMap(
          (pattern) => text.match(pattern) ?? [],
        );
        for (const word of new Set(words)) found.push({ file, line: index + 1, word, text: text.trim() });
      });
    return found;
  });
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '..', '..');
  const found = findOldWording(root, process.argv.slice(2));
  for (const { file, line, word, text } of found)
    process.stdout.write(`${file}:${line}: ${word} | ${text.slice(0, 150)}\n`);
  process.stdout.write(`${found.length} flagged\n`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
