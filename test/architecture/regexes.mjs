import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import recheck from 'recheck/lib/browser.js';
import ts from 'typescript';

/**
 * Checks that no regex literal of the product takes more than linear time for any text. The results of recheck, which
 * needs seconds for some and gives up on a slow machine, are kept in regexes.json. `--write` updates it; a folder as an
 * argument is checked instead of the repository, without results.
 */
const root = join(import.meta.dirname, '..', '..');
const file = join(import.meta.dirname, 'regexes.json');
const args = process.argv.slice(2);
const folder = args.find((arg) => !arg.startsWith('--'));
const known = folder ? { linear: [], bounded: {} } : JSON.parse(readFileSync(file, 'utf8'));

/** Repetitions up to this are checked as they are. recheck unrolls them, which takes it too long for more. */
const SMALL = 20;
/** Steps that bounded repetitions may take for each character of a text. */
const MAX_FACTOR = 1000;
const REPETITION = /\{(\d{1,6})(?:,(\d{1,6}))?\}/g;

function bounds(source) {
  return [...source.matchAll(REPETITION)]
    .map(([, least, most]) => Number(most ?? least))
    .filter((n) => n > SMALL);
}

/** Changes large bounded repetitions. */
function generalized(source, replacement) {
  return source.replace(REPETITION, (all, least, most) =>
    Number(most ?? least) > SMALL ? replacement : all,
  );
}

function check(source, flags) {
  return recheck.checkSync(source, flags, { timeout: 20_000, attackTimeout: 2000 }).status === 'safe';
}

/** A pattern is safe if it is safe with unbounded repetitions, or if its bounds keep the time for a character low. */
function isLinear(literal) {
  const end = literal.lastIndexOf('/');
  const [source, flags] = [literal.slice(1, end), literal.slice(end + 1)];
  const large = bounds(source);
  if (check(generalized(source, '*'), flags)) return true;
  if (large.length === 0) return false;
  return (
    large.reduce((product, bound) => product * bound, 1) <= MAX_FACTOR &&
    check(generalized(source, '{0,5}'), flags)
  );
}

/** Each literal with its first place. */
function literalsOf(paths, base) {
  const found = new Map();
  for (const path of paths) {
    const text = readFileSync(join(base, path), 'utf8');
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const visit = (node) => {
      if (ts.isRegularExpressionLiteral(node) && !found.has(node.text)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.set(node.text, `${path}:${line + 1}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

const base = folder ? resolve(folder) : root;
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '.'], {
  cwd: base,
  encoding: 'utf8',
});
const isChecked = folder
  ? /\.[mc]?[jt]s$/
  : /^(?:backend\/src|frontend\/src|scripts)\/.*(?<!\.spec|\.d)\.[mc]?[jt]s$/;
const literals = literalsOf(
  listed
    .trim()
    .split('\n')
    .filter((path) => isChecked.test(path)),
  base,
);

const linear = new Set(args.includes('--all') ? [] : known.linear);
const problems = [];
for (const [literal, place] of literals) {
  if (linear.has(literal) || literal in known.bounded) continue;
  if (isLinear(literal)) linear.add(literal);
  else
    problems.push(
      `${place}: ${literal} takes more than linear time. Rewrite it, or name the bound of its text in regexes.json.`,
    );
}
problems.push(
  ...Object.keys(known.bounded)
    .filter((literal) => !literals.has(literal))
    .map((literal) => `regexes.json: ${literal} is not used. Remove it.`),
);
const isNew = !folder && linear.size > known.linear.length;
if (args.includes('--write')) {
  const sorted = [...linear].filter((literal) => literals.has(literal)).sort();
  writeFileSync(file, `${JSON.stringify({ bounded: known.bounded, linear: sorted }, null, 2)}\n`);
} else if (isNew && !args.includes('--all')) {
  problems.push('regexes.json lacks new regexes. Run node test/architecture/regexes.mjs --write.');
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (literals.size === 0) process.stderr.write('There is no regex to check.\n');
process.exitCode = problems.length > 0 || literals.size === 0 ? 1 : 0;
