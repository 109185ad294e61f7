import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseOwnJson } from '../parsing/index.js';

/** The installation folder and version, whether the code runs from the sources or from `dist`. */
export interface Project {
  root: string;
  version: string;
}

let known: Project | undefined;

/** Of the running code, so it is read once: health responds with the version. */
export function readProject(): Project {
  known ??= findProject(import.meta.dirname);
  return known;
}

function findProject(folder: string): Project {
  const path = join(folder, 'package.json');
  if (existsSync(path)) {
    const { name, version } = parseOwnJson<{ name?: string; version: string }>(readFileSync(path, 'utf8'));
    if (name === 'slipway') return { root: folder, version };
  }
  const parent = dirname(folder);
  if (parent !== folder) return findProject(parent);
  throw new Error('Slipway’s own package.json is missing: the installation is incomplete.');
}
