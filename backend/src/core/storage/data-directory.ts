import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import type { Configuration } from '../config/index.js';

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
}
