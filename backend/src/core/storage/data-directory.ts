import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import type { Configuration } from '../config/index.js';

/** The data folder (`APP_DATA_DIR`), mode 0700, and the paths in it. */
export class DataDirectory {
  private constructor(readonly root: string) {}

  /** @throws Error if the folder cannot be created or written. */
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

  /** Keys and the password hash, if the environment does not set them. */
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

  /** Home folders of helm with downloaded indexes and charts. Can be deleted at any time. */
  get helm(): string {
    return join(this.root, 'helm');
  }

  get charts(): string {
    return join(this.root, 'charts');
  }

  /** The folder of one cluster. Callers validate the name; this second check keeps a mistake inside the folder. */
  cluster(folder: string): string {
    const path = join(this.clusters, folder);
    const inside = relative(this.clusters, path);
    if (inside === '' || inside.startsWith('..') || isAbsolute(inside) || /[\\/\0]/.test(inside)) {
      throw new Error('a cluster folder must be directly in the clusters folder');
    }
    return path;
  }
}
