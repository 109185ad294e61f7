import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, hasOwnNode, root, run, say } from './process.mjs';

const OLDEST_NODE = 20;
const marker = join(root, 'node_modules', '.slipway-installed');

/**
 * Makes sure that the dependencies of package-lock.json are there; takes no time when they are.
 * @param wanted `run` without what only tests and checks need.
 */
export async function ensureInstalled(wanted = 'all') {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < OLDEST_NODE) {
    fail(
      `Node ${process.versions.node} is too old. Install Node ${OLDEST_NODE} or newer from https://nodejs.org, then try again.`,
    );
  }
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const installed = existsSync(marker) ? readFileSync(marker, 'utf8') : '';
  if (installed !== `all ${lock}` && installed !== `${wanted} ${lock}`) {
    say('installing dependencies (about a minute, once)');
    // Tools for tests and checks are the only dependencies for development: the workspaces have what a build needs.
    const omit = wanted === 'run' ? ['--omit=dev'] : [];
    const args = ['ci', ...omit, '--no-audit', '--no-fund', '--loglevel=error'];
    // .npmrc turns install scripts off: no package of the tree runs code when it is installed (SECURITY.md).
    const { status } = await run('npm', args);
    if (status !== 0) {
      fail(
        'the dependencies could not be installed. The lines above say why; most often the package registry cannot be reached. Then run the same command again.',
      );
    }
    writeFileSync(marker, `${wanted} ${lock}`);
  }
  requireNode24();
}

/** On Linux, Node 24 comes as a package. */
function requireNode24() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (hasOwnNode() || major > 24 || (major === 24 && minor >= 15)) return;
  fail(
    `To build Slipway on ${process.platform} (${process.arch}), install Node 24.15 or newer from https://nodejs.org, then run the same command again.`,
  );
}
