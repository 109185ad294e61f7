import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root, run, say } from './process.mjs';

/** Updates the message catalogs of both applications, `frontend/i18n/*.xlf`, from the sources. */
for (const application of ['dashboard', 'log-board']) {
  const { status, output } = await run('ng', ['extract-i18n', application], { quiet: true });
  if (status !== 0) {
    process.stderr.write(output);
    fail(`Could not extract the messages of the ${application}.`);
  }
  const path = join(root, 'frontend', 'i18n', `${application}.xlf`);
  const catalog = sorted(readFileSync(path, 'utf8'));
  writeFileSync(path, catalog.text);
  say(`${application}: ${catalog.count} messages`);
}

/** Without line numbers and in a stable order, so that only changed messages change the file. */
function sorted(text) {
  const units = text.match(/ {4}<unit [^]*?<\/unit>\n/g).map((unit) => {
    const files = [...unit.matchAll(/"location">([^<:]+)/g)].map(([, file]) => file);
    const notes = [...new Set(files)].map((file) => `        <note category="location">${file}</note>\n`);
    return unit.replace(/ +<note category="location">[^]*?(?= {6}<\/notes>)/, notes.join(''));
  });
  const keyOf = (unit) => /<source>([^]*?)<\/source>/.exec(unit)[1] + unit;
  const body = units.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)).join('');
  return { count: units.length, text: text.replace(/ {4}<unit [^]*<\/unit>\n/, () => body) };
}
