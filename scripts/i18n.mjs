import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root, run } from './process.mjs';

const folder = join(root, '.cache', 'i18n');
/** Pages with all messages in the pseudo-locale, for a browser test. */
export const PSEUDO_PAGES = join('.cache', 'pseudo');
const ACCENTED = Object.fromEntries(
  [
    ...zip('abcdefghijklmnopqrstuvwxyz', 'áƀçďéƒĝĥíĵķļɱñóþɋřšŧúṽŵẋýž'),
    ...zip('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'ÁƁÇĎÉƑĜĤÍĴĶĻṀÑÓÞɊŘŠŦÚṼŴẊÝŽ'),
  ].map(([letter, accented]) => [letter, /[áéíóú]/.test(accented) ? accented + accented : accented]),
);

/** Extracts the messages of an application. Fails on a warning, such as one id with two texts. */
export async function extractMessages(application) {
  await must('ng', 'build', application, '--configuration=messages', '--progress=false');
  const files = ['--root', join(folder, application, 'browser'), '--source=**/*.js'];
  const output = ['--format=json', '--outputPath', catalogOf(application)];
  await must('localize-extract', ...files, ...output, '--duplicateMessageHandling=error', '--loglevel=warn');
}

/** Translates the build of `extractMessages` into a pseudo-locale. This takes less than another build. */
export async function buildPseudoPages(application) {
  const { translations } = JSON.parse(readFileSync(catalogOf(application), 'utf8'));
  const pseudo = Object.entries(translations).map(([id, text]) => [id, pseudoText(text)]);
  const target = join(root, PSEUDO_PAGES, application);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const catalog = `${target}.json`;
  writeFileSync(catalog, JSON.stringify({ locale: 'en-XA', translations: Object.fromEntries(pseudo) }));
  const files = ['--root', join(folder, application, 'browser'), '--source=**/*'];
  const options = ['--translations', catalog, '--outputPath', target, '--missingTranslation=error'];
  await must('localize-translate', ...files, ...options);
}

const catalogOf = (application) => join(folder, `${application}.json`);

async function must(program, ...args) {
  const { status, output } = await run(program, args, {
    environment: { NG_BUILD_TYPE_CHECK: '0' },
    quiet: true,
  });
  if (status === 0 && !/\bWARNINGS?\b|^warn/im.test(output)) return;
  process.stderr.write(output);
  fail(`${program} ${args.join(' ')} ended with an error or a warning.`);
}

/** The text with accents, a third longer, and in brackets. Placeholders, tags and the syntax of ICU stay. */
function pseudoText(text) {
  const isIcu = /^\{\w+, (?:plural|select),/.test(text);
  let depth = 0;
  const pieces = text.match(/\{\$\w+\}|\{[A-Z_0-9]+\}|<[^>]*>|&\w+;|[^]/g) ?? [];
  const accented = pieces.map((piece) => {
    if (isIcu && piece === '{') depth += 1;
    if (isIcu && piece === '}') depth -= 1;
    return isIcu && depth < 2 ? piece : (ACCENTED[piece] ?? piece);
  });
  return isIcu ? accented.join('') : `[${accented.join('')}]`;
}

function zip(letters, accented) {
  return [...letters].map((letter, index) => [letter, [...accented][index]]);
}
