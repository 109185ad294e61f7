import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { readProject } from '../../backend/src/core/config/project.js';

const { root } = readProject();

/** Files that git ignores, and files that are not text. */
const NOT_OURS = new Set(['node_modules', 'dist', '.cache', '.angular', 'coverage', 'test-results', '.git']);
const TEXT = /\.(ts|mjs|cjs|js|json|ya?ml|md|html|scss|css|svg|example|txt)$|\/run$/;

/** Paths of the project's own text files under `folder`, from the root, with slashes. */
export function sourceFiles(folder = '.', matching: RegExp = TEXT): string[] {
  const found: string[] = [];
  const visit = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (NOT_OURS.has(entry.name)) continue;
      const full = join(path, entry.name);
      const name = relative(root, full).split(sep).join('/');
      if (entry.isDirectory()) visit(full);
      else if (entry.isFile() && matching.test(`/${name}`)) found.push(name);
    }
  };
  if (statSync(join(root, folder)).isDirectory()) visit(join(root, folder));
  return found.sort();
}

/** The text of a file, named from the root. */
export function textOf(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}
