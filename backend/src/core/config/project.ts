import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The installation folder and version, whether the code runs from the sources or from `dist`. */
export interface Project {
  root: string;
  version: string;
}

export function readProject(folder = import.meta.dirname): Project {
  const path = join(folder, 'package.json');
  if (existsSync(path)) {
    const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version: string };
    if (name === 'slipway') return { root: folder, version };
  }
  const parent = dirname(folder);
  if (parent !== folder) return readProject(parent);
  throw new Error('Slipway’s own package.json is missing: the installation is incomplete.');
}
