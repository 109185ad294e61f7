import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureApiTypes } from './api-types.mjs';
import { fail, root, run, say } from './process.mjs';

/**
 * Installs the dependencies unless npm has done so since package-lock.json changed; `run` installs only what building and
 * running need. Runs with Node.js 20, too. The commands after it in an npm script run with the Node.js of the packages.
 */
const runs = process.argv[2] === 'run';
const changed = (name) => statSync(join(root, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isComplete = runs || changed('node_modules/jest') > 0;
if (!isComplete || changed('node_modules/.package-lock.json') < changed('package-lock.json')) {
  say('installing dependencies (about a minute, once)');
  // Tools for tests and checks are the only dependencies for development: the workspaces have what a build needs.
  const omit = runs ? ['--omit=dev'] : [];
  const { status } = await run('npm', ['ci', ...omit, '--no-audit', '--no-fund', '--loglevel=error']);
  if (status !== 0) {
    fail(
      'the dependencies could not be installed. The lines above say why; most often the package registry cannot be reached. Then run the same command again.',
    );
  }
}
if (!runs) await ensureApiTypes();
