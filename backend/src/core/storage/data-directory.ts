import { chmodSync, mkdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Configuration } from '../config/index.js';

/** As many as Linux follows in a path. */
const MOST_LINKS = 40;

/** The folder of all state (`APP_DATA_DIR`), mode 0700, and the places within it. */
export class DataDirectory {
  private constructor(readonly root: string) {}

  /** @throws Error when the folder cannot be made or is not ours to write. */
  static open(configuration: Configuration): DataDirectory {
    const root = configuration.values.dataDirectory;
    mkdirSync(root, { recursive: true, mode: 0o700 });
    if (process.platform !== 'win32' && (statSync(root).mode & 0o077) !== 0) chmodSync(root, 0o700);
    mkdirSync(join(root, 'clusters'), { recursive: true, mode: 0o700 });
    return new DataDirectory(root);
  }

  get database(): string {
    return join(this.root, 'slipway.db');
  }

  /** Keys and the password's hash, where the environment does not give them. */
  get secrets(): string {
    return join(this.root, 'secrets.json');
  }

  get clusters(): string {
    return join(this.root, 'clusters');
  }

  /** Image archives, while a job loads them. */
  get archives(): string {
    return join(this.root, 'archives');
  }

  /** Helm's own homes, indexes and charts that were fetched: all of it can be had again. */
  get helm(): string {
    return join(this.root, 'helm');
  }

  /** The log board's history. */
  get logs(): string {
    return join(this.root, 'logs');
  }

  /** Charts that were uploaded. */
  get charts(): string {
    return join(this.root, 'charts');
  }

  /**
   * The folder of one cluster. The caller has checked the name against its grammar; this check stands
   * behind it, so that no mistake above can reach a file outside.
   */
  cluster(folder: string): string {
    const path = join(this.clusters, folder);
    const inside = relative(this.clusters, path);
    if (inside === '' || inside.startsWith('..') || isAbsolute(inside) || /[\\/\0]/.test(inside)) {
      throw new Error('a cluster folder must lie directly within the clusters folder');
    }
    return path;
  }

  /**
   * Whether a path is the data folder, inside it, or contains it, by links too. Of a path that does not exist, the part
   * that does is looked at.
   */
  overlaps(path: string): boolean {
    const [own, other] = [realPathOf(this.root), realPathOf(path)];
    return contains(own, other) || contains(other, own);
  }
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
