import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ISOLATED } from '../test/support/jest/grouping.mjs';
import { root } from './process.mjs';

const folder = join(root, '.cache', 'test-groups');

/**
 * The suites whose specs run in groups, with their folders. Jest links every module again for each file that it runs,
 * and linking Nest alone takes a second: in groups, `unit` takes 54 s of a core, file by file 150 s.
 */
const GROUPED = { unit: 'backend/src', api: 'test/api', frontend: 'frontend/src' };
/** Enough to keep four cores busy; a group links its modules once. */
const GROUPS = 4;

/** @param path relative to the project. */
export function isTestGroup(path) {
  return path.startsWith(relative(root, folder));
}

/** Writes the files that Jest runs instead of the specs: each imports a fourth of the specs of a suite. */
export function writeTestGroups(suites) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [suite, specs] of Object.entries(GROUPED)) {
    if (!suites.includes(suite)) continue;
    const files = readdirSync(join(root, specs), { recursive: true })
      .filter((file) => file.endsWith('.spec.ts') && !file.endsWith(ISOLATED))
      .sort();
    for (let group = 0; group < GROUPS; group++) {
      const imports = files
        .filter((_, index) => index % GROUPS === group)
        .map((file) => `import '${relative(folder, join(root, specs, file))}';\n`);
      writeFileSync(join(folder, `${suite}-${group + 1}.spec.ts`), imports.join(''));
    }
  }
}
