import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** As many as Linux follows in a path. */
const MOST_LINKS = 40;

/** Whether one path is the other, inside it, or contains it, by links too. Of a path that does not exist, the part that does is looked at. */
export function pathsOverlap(one: string, other: string): boolean {
  const [first, second] = [realPathOf(one), realPathOf(other)];
  return contains(first, second) || contains(second, first);
}

function contains(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || !(inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside));
}

/** @param links that may still be followed: some lead to themselves. */
function realPathOf(path: string, links = MOST_LINKS): string {
  try {
    // The system's own tells names as they are written on disk, where it takes them in any case.
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) return path;
    const folder = realPathOf(parent, links);
    const target = links > 0 ? linkTarget(join(folder, basename(path))) : undefined;
    // What a link leads to may be made later.
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
