import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { fail, root, run, say, tool, toolEnvironment } from './process.mjs';

/** Most Brotli bytes of JavaScript that a first page may need before it works. */
export const INITIAL_SCRIPT_BUDGET = 130_000;

/** Folder of the built pages, by application. */
const FRONTEND = 'dist/frontend';

/** The Angular applications of the workspace. */
const FRONTENDS = ['dashboard', 'log-board'];

const SERVER_INPUTS = ['backend/src', 'tsconfig.json', 'package-lock.json', 'scripts/bundle-server.mjs'];

/** What a build makes: for `npm start` the backend and the frontend; the modules for tests, measurements and scripts. */
const PARTS = {
  backend: {
    inputs: SERVER_INPUTS,
    result: 'dist/server/main.js',
    build: async () => (await import('./bundle-server.mjs')).bundleServer(join(root, 'dist/server')),
  },
  modules: {
    inputs: SERVER_INPUTS,
    result: 'dist/backend/main.js',
    build: async () => (await import('./bundle-server.mjs')).buildModules(join(root, 'dist/backend')),
  },
  frontend: {
    inputs: ['frontend', 'angular.json', 'package-lock.json', 'backend/src', 'scripts/pack-pages.mjs'],
    result: 'dist/frontend/log-board/browser/index.html',
    build: buildFrontend,
  },
};

/** Builds what changed since the last build; nothing when nothing did. */
export async function ensureBuilt(names = Object.keys(PARTS)) {
  for (const name of names) {
    const { inputs, result } = PARTS[name];
    const stampFile = join(root, '.cache', `built-${name}`);
    const stamp = stampOf(inputs);
    const isCurrent =
      existsSync(join(root, result)) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
    if (!isCurrent) await build(name, stamp);
  }
}

async function build(name, stamp = stampOf(PARTS[name].inputs)) {
  say(`building the ${name}`);
  await PARTS[name].build();
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(join(root, '.cache', `built-${name}`), stamp);
}

async function buildFrontend() {
  rmSync(join(root, FRONTEND), { recursive: true, force: true });
  await Promise.all(FRONTENDS.map(buildPages));
}

async function buildPages(name) {
  const args = ['build', name, '--configuration=production', '--progress=false', '--stats-json'];
  // Types are checked by `npm run typecheck`; here they would cost 20 of 52 s.
  const environment = { ...toolEnvironment(), NG_BUILD_TYPE_CHECK: '0' };
  const { status, output } = await run(tool('ng'), args, { environment, quiet: true });
  if (status !== 0) {
    process.stderr.write(output);
    fail(`the pages of the ${name} could not be built; the lines above say why.`);
  }
  // What it packs with is there only once the project is installed.
  const { packPages } = await import('./pack-pages.mjs');
  await packPages(join(root, FRONTEND, name));
  await compressAndCheck(name);
}

function pagesOf(frontend) {
  return join(root, FRONTEND, frontend, 'browser');
}

/** Puts a Brotli twin beside each text file, and holds the first page to its budget. */
async function compressAndCheck(frontend) {
  const pages = pagesOf(frontend);
  const files = readdirSync(pages, { recursive: true })
    .map((name) => join(pages, name))
    .filter((path) => /\.(js|css|svg|json|txt)$/.test(path) && statSync(path).isFile());
  const compress = promisify(brotliCompress);
  await Promise.all(
    files.map(async (path) => {
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
      writeFileSync(`${path}.br`, await compress(readFileSync(path), { params }));
    }),
  );
  const scripts = firstPageScripts(frontend);
  const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0);
  say(
    `a first page of the ${frontend} loads ${(total / 1000).toFixed(1)} kB of JavaScript (Brotli, budget ${INITIAL_SCRIPT_BUDGET / 1000} kB)`,
  );
  if (total > INITIAL_SCRIPT_BUDGET) {
    fail(
      `that is more than the budget: ${scripts.map(({ name, bytes }) => `${name} ${bytes}`).join(', ')}. Load something later, or leave it out.`,
    );
  }
}

/** What the built page loads before it works: each script with its bytes over the wire. */
export function firstPageScripts(frontend = 'dashboard') {
  const pages = pagesOf(frontend);
  const page = readFileSync(join(pages, 'index.html'), 'utf8');
  const found = new Set();
  // The page names the first scripts only; what they import before they run counts as well.
  const add = (name) => {
    if (found.has(name)) return;
    found.add(name);
    const text = readFileSync(join(pages, name), 'utf8');
    for (const [, imported] of text.matchAll(/(?:import|from)\s*"\.\/([^"]+\.js)"/g)) add(imported);
  };
  for (const [, name] of page.matchAll(/(?:src|href)="\/?([^"]+\.js)"/g)) add(name);
  return [...found].map((name) => ({ name, bytes: statSync(join(pages, `${name}.br`)).size }));
}

/** Tells two states of files apart without reading them. */
function stampOf(inputs) {
  const hash = createHash('sha256');
  const add = (path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return;
    if (stats.isDirectory()) {
      for (const name of readdirSync(path).sort()) add(join(path, name));
    } else if (!path.endsWith('.spec.ts')) {
      hash.update(`${path}:${stats.size}:${stats.mtimeMs}\n`);
    }
  };
  for (const input of inputs) add(join(root, input));
  return hash.digest('hex');
}

if (process.argv[1] === import.meta.filename || process.argv[1]?.endsWith('scripts/build.mjs')) {
  for (const name of Object.keys(PARTS)) await build(name);
}
