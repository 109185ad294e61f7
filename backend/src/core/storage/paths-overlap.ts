import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** The limit of Linux. */
const MOST_LINKS = 40;

/** Whether two paths are equal or one contains the other, also through symbolic links. The paths need not exist. */
export function pathsOverlap(one: string, other: string): boolean {
  const [first, second] = [realPathOf(one), realPathOf(other)];
  return contains(first, second) || contains(second, first);
}

function contains(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || !(inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside));
}

/** @param links how many symbolic links to follow; they may be circular. */
function realPathOf(path: string, links = MOST_LINKS): string {
  try {
    // The native variant returns names as on disk, which matters for case-insensitive file systems.
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) return path;
    const folder = realPathOf(parent, links);
    const target = links > 0 ? linkTarget(join(folder, basename(path))) : undefined;
    // The target of a link may be created later.
    return target === undefined
      ? join(folder, basename(path))
      : realPathOf(resolve(folder, target), links - 1);
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
