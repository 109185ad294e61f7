import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build.mjs';
import { findMissingEngines } from './engines.mjs';
import { fail, root, say } from './process.mjs';
import { close } from './suites.mjs';

/** Uses the product for a while on real Docker, and checks that it does not grow. */
const { minutes: text } = parseArgs({ options: { minutes: { type: 'string', default: '20' } } }).values;
const minutes = Number(text);
if (!Number.isInteger(minutes) || minutes < 2 || minutes > 600) fail('--minutes takes 2 to 600.');
const missing = await findMissingEngines(['docker']);
if (missing.length > 0) fail(missing.join(' '));
await ensureBuilt();

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (!stopping.signal.aborted) say('soak: ending early, and removing what it created');
    stopping.abort();
  });
}
const { soak } = await import('../test/soak/soak.mjs');
const { compare, outcome } = await import('../test/soak/samples.mjs');
const results = join(root, '.cache', 'results');
const file = join(results, 'soak.csv');
mkdirSync(results, { recursive: true });
try {
  const { samples, done, lines } = await soak({ minutes, signal: stopping.signal, file });
  const figures = [
    ...compare(samples),
    ...Object.entries(done).map(([name, result]) => outcome(name, result)),
  ];
  for (const { text: figure } of figures) process.stdout.write(`${figure}\n`);
  const failed = figures.filter(({ met }) => !met).length;
  process.stdout.write(`lines: ${lines}\nThe curve is in ${file}.\n`);
  close([{ passed: figures.length - failed, failed: failed + (stopping.signal.aborted ? 1 : 0) }]);
} catch (error) {
  say(`soak: ${error instanceof Error ? error.message : String(error)}`);
  close([{ passed: 0, failed: 1 }]);
}
