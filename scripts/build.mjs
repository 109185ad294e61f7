import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { ensureApiTypes } from './api-types.mjs';
import { buildPseudoPages, extractMessages, PSEUDO_PAGES } from './i18n.mjs';
import { packPages } from './pack-pages.mjs';
import { fail, root, run, say } from './process.mjs';

/** Maximum size of the JavaScript that a first page loads before it works, compressed with Brotli, in bytes. */
export const INITIAL_SCRIPT_BUDGET = 130_000;

const FRONTENDS = ['dashboard', 'log-board'];
const pagesOf = (frontend) => join(root, 'dist', 'frontend', frontend, 'browser');
const CONFIGURATION = ['*.json', '.swcrc', 'scripts/*.mjs'];

/** The parts of a build: modules for tests and scripts, the bundle that `npm start` and the package run, the pages. */
const PARTS = {
  backend: {
    inputs: ['backend/**', ...CONFIGURATION],
    result: 'dist/backend/src/main.js',
    build: ({ types }) => must('nest', ['build', types ? '--type-check' : '--no-type-check']),
  },
  server: {
    // Swagger UI has the styles of the pages.
    inputs: ['backend/**', 'frontend/src/shared/styles/*', ...CONFIGURATION],
    result: 'dist/server/main.js',
    build: () => must('rolldown', ['--config=scripts/rolldown.config.mjs']),
  },
  frontend: {
    // Types of streams and sockets are the backend's.
    inputs: ['frontend/**', 'backend/**', ...CONFIGURATION],
    result: 'dist/frontend/log-board/browser/index.html',
    build: ({ types }) => Promise.all(FRONTENDS.map((name) => buildPages(name, types))),
  },
  // A linter: it fails on each warning of the extraction.
  messages: {
    inputs: ['frontend/**', 'angular.json', 'package-lock.json', 'scripts/i18n.mjs'],
    result: '.cache/i18n/log-board.json',
    build: () => Promise.all(FRONTENDS.map(extractMessages)),
  },
  pseudo: {
    inputs: ['.cache/i18n/*.json', 'scripts/i18n.mjs'],
    result: join(PSEUDO_PAGES, 'log-board', 'index.html'),
    build: () => Promise.all(FRONTENDS.map(buildPseudoPages)),
  },
};
const PRODUCT = ['backend', 'server', 'frontend'];

/**
 * Builds what changed since the last build.
 * @param types whether to check them, too; a start does not, nor the gate, which has a step of its own for it.
 */
export async function ensureBuilt(names = PRODUCT, { types = !process.env.APP_TYPES_OK } = {}) {
  if (types) await ensureApiTypes();
  for (const name of names) {
    const { inputs, result, build } = PARTS[name];
    const stampFile = join(root, '.cache', `built-${name}`);
    const stamp = stampOf(inputs);
    const built = existsSync(join(root, result)) && existsSync(stampFile) && readFileSync(stampFile, 'utf8');
    if (built === `${stamp} checked` || (!types && built === stamp)) continue;
    say(`building the ${name}`);
    await build({ types });
    mkdirSync(join(root, '.cache'), { recursive: true });
    writeFileSync(stampFile, types ? `${stamp} checked` : stamp);
  }
}

async function must(program, args, environment = {}) {
  const { status, output } = await run(program, args, { environment, quiet: true });
  if (status === 0) return;
  process.stderr.write(output);
  fail(`${program} ${args.join(' ')} failed; the lines above say why.`);
}

async function buildPages(name, types) {
  const environment = types ? {} : { NG_BUILD_TYPE_CHECK: '0' };
  await must(
    'ng',
    ['build', name, '--configuration=production', '--progress=false', '--stats-json'],
    environment,
  );
  await packPages(join(root, 'dist', 'frontend', name));
  await compress(name);
  const scripts = firstPageScripts(name);
  const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0);
  say(`a first page of the ${name} loads ${(total / 1000).toFixed(1)} kB of JavaScript (Brotli)`);
  if (total > INITIAL_SCRIPT_BUDGET) {
    const named = scripts.map((script) => `${script.name} ${script.bytes}`).join(', ');
    fail(
      `that is more than ${INITIAL_SCRIPT_BUDGET / 1000} kB: ${named}. Load something later, or leave it out.`,
    );
  }
}

/** Puts a Brotli twin beside each text file. */
async function compress(frontend) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  const files = globSync('**/*.{js,css,svg,json,txt}', { cwd: pagesOf(frontend) });
  await Promise.all(
    files.map(async (name) => {
      const path = join(pagesOf(frontend), name);
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(readFileSync(path), { params }));
    }),
  );
}

/** The scripts that a built page loads before it works, each with its bytes over the wire. */
export function firstPageScripts(frontend = 'dashboard') {
  const pages = pagesOf(frontend);
  const found = new Set();
  // The page names some of them; what these import counts as well.
  const add = (name) => {
    if (found.has(name)) return;
    found.add(name);
    const text = readFileSync(join(pages, name), 'utf8');
    for (const [, imported] of text.matchAll(/(?:import|from)\s*"\.\/([^"]+\.js)"/g)) add(imported);
  };
  const page = readFileSync(join(pages, 'index.html'), 'utf8');
  for (const [, name] of page.matchAll(/(?:src|href)="\/?([^"]+\.js)"/g)) add(name);
  return [...found].map((name) => ({ name, bytes: statSync(join(pages, `${name}.br`)).size }));
}

/** Identifies the state of files without reading them. */
function stampOf(inputs) {
  const hash = createHash('sha256');
  for (const path of globSync(inputs, { cwd: root, exclude: (name) => name.endsWith('.spec.ts') }).sort()) {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path}:${size}:${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

if (process.argv[1]?.endsWith('scripts/build.mjs')) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { types: { type: 'boolean', default: true } },
    allowNegative: true,
  });
  await ensureBuilt(positionals.length > 0 ? positionals : undefined, values);
}
