import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { fail, root, run, say, tool, toolEnvironment } from './process.mjs';

/** Most Brotli bytes of JavaScript that a first page may need before it works. */
export const INITIAL_SCRIPT_BUDGET = 150_000;

/** The Angular applications of the workspace. */
const FRONTENDS = ['dashboard', 'log-board'];

/** Folder of the bundled server for `npm start`. */
const SERVER = 'dist/server';

const HALVES = {
  backend: {
    inputs: [
      'backend/src',
      'backend/tsconfig.build.json',
      'tsconfig.json',
      'nest-cli.json',
      'package-lock.json',
      'scripts/bundle-server.mjs',
    ],
    output: 'dist/backend',
    result: `${SERVER}/main.js`,
    commands: [[tool('nest'), ['build']]],
  },
  frontend: {
    inputs: ['frontend', 'angular.json', 'package-lock.json', 'backend/src'],
    output: 'dist/frontend',
    result: 'dist/frontend/log-board/browser/index.html',
    commands: FRONTENDS.map((name) => [
      tool('ng'),
      ['build', name, '--configuration=production', '--progress=false', '--stats-json'],
    ]),
  },
};

/** Builds what changed since the last build; nothing when nothing did. */
export async function ensureBuilt(halves = ['backend', 'frontend']) {
  for (const name of halves) {
    const half = HALVES[name];
    const stampFile = join(root, '.cache', `built-${name}`);
    const stamp = stampOf(half.inputs);
    if (
      existsSync(join(root, half.result)) &&
      existsSync(stampFile) &&
      readFileSync(stampFile, 'utf8') === stamp
    )
      continue;
    await build(name);
    writeFileSync(stampFile, stamp);
  }
}

async function build(name) {
  const { output, commands } = HALVES[name];
  say(`building the ${name}`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  rmSync(join(root, output), { recursive: true, force: true });
  rmSync(join(root, '.cache', `${name}.tsbuildinfo`), { force: true });
  for (const [program, args] of commands) {
    const { status, output: said } = await run(program, args, {
      environment: toolEnvironment(),
      quiet: true,
    });
    if (status !== 0) {
      process.stderr.write(said);
      fail(`the ${name} could not be built; the lines above say why.`);
    }
  }
  // What they pack with is there only once the project is installed.
  if (name === 'backend') {
    const { bundleServer } = await import('./bundle-server.mjs');
    await bundleServer(join(root, output), join(root, SERVER));
    return;
  }
  const { packPages } = await import('./pack-pages.mjs');
  for (const frontend of FRONTENDS) {
    await packPages(join(root, output, frontend));
    compressAndCheck(frontend);
  }
}

function pagesOf(frontend) {
  return join(root, HALVES.frontend.output, frontend, 'browser');
}

/** Puts a Brotli twin beside each text file, and holds the first page to its budget. */
function compressAndCheck(frontend) {
  const pages = pagesOf(frontend);
  for (const name of readdirSync(pages, { recursive: true })) {
    const path = join(pages, name);
    if (!/\.(js|css|svg|json|txt)$/.test(name) || !statSync(path).isFile()) continue;
    const compressed = brotliCompressSync(readFileSync(path), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
    });
    writeFileSync(`${path}.br`, compressed);
  }
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
  for (const name of Object.keys(HALVES)) await build(name);
  for (const [name, half] of Object.entries(HALVES))
    writeFileSync(join(root, '.cache', `built-${name}`), stampOf(half.inputs));
}
