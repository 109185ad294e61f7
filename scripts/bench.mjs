import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build.mjs';
import { root, say } from './process.mjs';
import { close } from './suites.mjs';

/** The measured goals, shortest first. `npm run bench -- start stats` runs those alone. */
const BENCHES = {
  bundle: async () => (await import('../test/bench/bundle.mjs')).bundle,
  fidelity: async () => (await import('../test/bench/fidelity.mjs')).fidelity,
  start: async () => (await import('../test/bench/start.mjs')).start,
  again: async () => (await import('../test/bench/start.mjs')).again,
  package: async () => (await import('../test/bench/package.mjs')).installed,
  click: async () => (await import('../test/bench/click.mjs')).click,
  stats: async () => (await import('../test/bench/stats.mjs')).stats,
  problems: async () => (await import('../test/bench/problems.mjs')).problems,
  reads: async () => (await import('../test/bench/reads.mjs')).reads,
  hostile: async () => (await import('../test/bench/hostile.mjs')).hostile,
  overview: async () => (await import('../test/bench/overview.mjs')).overview,
  heap: async () => (await import('../test/bench/heap.mjs')).heap,
  table: async () => (await import('../test/bench/table-page.mjs')).tablePage,
  external: async () => (await import('../test/bench/external.mjs')).external,
  live: async () => (await import('../test/bench/live.mjs')).live,
  row: async () => (await import('../test/bench/row.mjs')).row,
  stalled: async () => (await import('../test/bench/stalled.mjs')).stalled,
  million: async () => (await import('../test/bench/million.mjs')).million,
  alone: async () => (await import('../test/bench/alone.mjs')).alone,
  forward: async () => (await import('../test/bench/forward.mjs')).forward,
  'log-store': async () => (await import('../test/bench/log-store.mjs')).logStore,
  progress: async () => (await import('../test/bench/progress.mjs')).progress,
  create: async () => (await import('../test/bench/create.mjs')).create,
};

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: '5' },
    engine: { type: 'string', default: 'docker' },
    // Of the large external cluster: an existing one, and smaller numbers.
    kubeconfig: { type: 'string' },
    pods: { type: 'string' },
    namespaces: { type: 'string' },
    crds: { type: 'string' },
  },
});
const size = Object.fromEntries(
  ['pods', 'namespaces', 'crds'].flatMap((name) => (options[name] ? [[name, Number(options[name])]] : [])),
);
const unknown = names.filter((name) => !(name in BENCHES));
if (unknown.length > 0 || !/^[1-9]\d?$/.test(options.pairs)) {
  process.stderr.write(
    `npm run bench -- [${Object.keys(BENCHES).join('] [')}] [--pairs=5] [--engine=docker] [--kubeconfig=FILE] [--pods=5000] [--namespaces=1000] [--crds=200]\n` +
      (unknown.length > 0 ? `There is no bench ${unknown.join(', ')}.\n` : '--pairs takes 1 to 99.\n'),
  );
  process.exit(2);
}

await ensureBuilt();

const figures = [];
let broken = 0;
for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
  const bench = await BENCHES[name]();
  try {
    const measured = await bench({
      pairs: Number(options.pairs),
      engine: options.engine,
      kubeconfig: options.kubeconfig,
      ...size,
    });
    for (const figure of measured) process.stdout.write(`${figure.describe()}\n`);
    figures.push(...measured);
  } catch (error) {
    broken += 1;
    say(`${name} could not be measured: ${error instanceof Error ? error.message : String(error)}`);
  }
}
const folder = join(root, '.cache', 'results');
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, 'bench.json'),
  `${JSON.stringify({ at: new Date().toISOString(), cpus: cpus().length, memory_bytes: totalmem(), figures }, null, 2)}\n`,
);
const met = figures.filter((figure) => figure.met).length;
close([{ passed: met, failed: figures.length - met + broken }]);
