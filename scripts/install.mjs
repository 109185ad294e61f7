import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, hasOwnNode, root, run, say } from './process.mjs';

const OLDEST_NODE = 20;
const marker = join(root, 'node_modules', '.slipway-installed');

/** Makes sure that the dependencies of package-lock.json are there; takes no time when they are. */
export async function ensureInstalled() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < OLDEST_NODE) {
    fail(
      `Node ${process.versions.node} is too old. Install Node ${OLDEST_NODE} or newer from https://nodejs.org, then try again.`,
    );
  }
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const installed = existsSync(marker) ? readFileSync(marker, 'utf8') : '';
  if (installed !== wanted) {
    say('installing dependencies (one to three minutes, once)');
    // .npmrc turns install scripts off for every npm; the one that is needed runs in `ensureNode`.
    const { status } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
    if (status !== 0) {
      fail(
        'the dependencies could not be installed. The lines above say why; most often the package registry cannot be reached. Then run the same command again.',
      );
    }
    writeFileSync(marker, wanted);
  }
  await ensureNode();
}

/**
 * Runs the one install script that is allowed: that of the package `node`, which puts its program in place. No other
 * package of the tree runs code when it is installed (SECURITY.md).
 */
async function ensureNode() {
  if (hasOwnNode()) return;
  say('putting the project’s own Node in place');
  await run(
    'npm',
    ['rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts', '--loglevel=error'],
    { quiet: true },
  );
  if (hasOwnNode()) return;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 15)) return;
  fail(
    'Node 24 could not be put in place by the npm package "node". Install Node 24.15 or newer from https://nodejs.org, then run the same command again.',
  );
}
