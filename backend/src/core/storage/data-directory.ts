import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../config/index.js';

/** The data folder (`APP_DATA_DIR`), mode 0700, and the paths in it. */
export class DataDirectory {
  readonly database: string;
  /** Keys and the password hash, if the environment does not set them. */
  readonly secrets: string;
  readonly clusters: string;
  /** Image archives, while a job loads them. */
  readonly archives: string;
  /** Home folders of helm with downloaded indexes and charts. Can be deleted at any time. */
  readonly helm: string;
  readonly charts: string;

  private constructor(readonly root: string) {
    this.database = join(root, 'slipway.db');
    this.secrets = join(root, 'secrets.json');
    this.clusters = join(root, 'clusters');
    this.archives = join(root, 'archives');
    this.helm = join(root, 'helm');
    this.charts = join(root, 'charts');
  }

  /** @throws Error if the folder cannot be created or written. */
  static open(configuration: Configuration): DataDirectory {
    const root = configuration.values.dataDirectory;
    mkdirSync(root, { recursive: true, mode: 0o700 });
    if (process.platform !== 'win32' && (statSync(root).mode & 0o077) !== 0) chmodSync(root, 0o700);
    mkdirSync(join(root, 'clusters'), { recursive: true, mode: 0o700 });
    return new DataDirectory(root);
  }

  /** The folder of one cluster. Callers validate the name; this second check keeps a mistake inside the folder. */
  cluster(folder: string): string {
    if (folder === '' || folder.startsWith('..') || folder === '.' || /[\\/\0]/.test(folder)) {
      throw new Error('a cluster folder must be directly in the clusters folder');
    }
    return join(this.clusters, folder);
  }
}
