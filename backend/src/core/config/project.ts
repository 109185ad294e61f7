import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The installation folder and version, whether the code runs from the sources or from `dist`. */
export interface Project {
  root: string;
  version: string;
}

export function readProject(): Project {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!isRoot(folder)) {
    const parent = dirname(folder);
    if (parent === folder) {
      throw new Error('Slipway’s own package.json is missing: the installation is incomplete.');
    }
    folder = parent;
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { root: folder, version };
}

function isRoot(folder: string): boolean {
  const path = join(folder, 'package.json');
  return existsSync(path) && (JSON.parse(readFileSync(path, 'utf8')) as { name?: string }).name === 'slipway';
}
