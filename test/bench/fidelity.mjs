import { join } from 'node:path';
import { root, say } from '../../scripts/process.mjs';
import { fidelityOf, readCorpus } from '../support/logs/fidelity.ts';
import { Figure } from './figures.mjs';

/** The most lines and entries of the corpus that may be read otherwise than their format is documented, in percent. */
const GOALS = { level: 3, fields: 5, message: 0, entry: 3 };

/** Levels, fields, messages and entries of the lines in `test/fixtures/lines`. Prints each line that is read otherwise. */
export async function fidelity() {
  const backend = join(root, 'dist/backend/src');
  const { levelOf, plainText, LineGrouping } = await import(join(backend, 'modules/log-lines/index.js'));
  const { fieldsOf, partsOf } = await import(join(backend, 'core/lines/index.js'));
  const found = fidelityOf(readCorpus(), { levelOf, fieldsOf, partsOf, plainText, LineGrouping });
  for (const { format, what, text, expected, read } of found.misses) {
    say(
      `${what} of ${format}: ${JSON.stringify(read)} instead of ${JSON.stringify(expected)} in ${JSON.stringify(text)}`,
    );
  }
  return Object.entries(GOALS).map(
    ([what, goal]) =>
      new Figure({
        title: `${what} read otherwise than documented, of ${what === 'entry' ? `${found.entries} entries` : `${found.lines} lines`} of ${found.formats} formats`,
        unit: '%',
        goal,
        values: [100 - found.shares[what]],
      }),
  );
}
