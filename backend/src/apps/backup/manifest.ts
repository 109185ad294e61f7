import { z } from 'zod';
import { parseJson } from '../../core/parsing/index.js';
import { recordOf } from '../../core/values/index.js';
import { escapesRoot } from '../../core/archive/index.js';
import { BackupError } from './backup-error.js';

export const MANIFEST_NAME = 'manifest.json';
/** Raised when an earlier version of Slipway can no longer restore a backup. */
export const BACKUP_FORMAT = 1;
export const MAX_FILES = 20_000;
/** About 200 bytes for each file. */
export const MAX_MANIFEST_BYTES = 8_000_000;

/** The files of a data folder in a backup. The rest can be created again, or belongs to a running process. */
export const BACKED_UP = {
  databases: ['slipway.db', 'logs.db', 'spool.db'],
  files: ['secrets.json', 'version.json', 'demo.json'],
  folders: ['clusters', 'charts'],
} as const;

/** Locks of kind, and files that are being written. */
const TRANSIENT = /\.lock$|^\.slipway-/;

const MANIFEST = z.object({
  format: z.literal(BACKUP_FORMAT),
  /** The newest version of Slipway that used the data folder. */
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  created_at: z.iso.datetime(),
  /** The schema of each database. */
  schemas: z.record(z.string(), z.int().nonnegative()),
  files: z
    .array(
      z.object({
        path: z.string().max(1000),
        size: z.int().nonnegative(),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(MAX_FILES),
});

/** The first file of a backup. */
export type Manifest = z.infer<typeof MANIFEST>;
export type BackedUpFile = Manifest['files'][number];

export function isTransient(name: string): boolean {
  return TRANSIENT.test(name);
}

/** @throws BackupError if it is not a manifest, or names a file that no backup contains. */
export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new BackupError('its manifest is damaged');
  }
  const { format, version } = recordOf(value);
  if (typeof format === 'number' && format > BACKUP_FORMAT) {
    throw new BackupError(
      `it has the format ${format}, and this version of Slipway reads format ${BACKUP_FORMAT}. Restore it with Slipway ${typeof version === 'string' ? version.slice(0, 20) : ''} or newer`,
    );
  }
  const { data, error } = MANIFEST.safeParse(value);
  if (error) {
    throw new BackupError(`its manifest is invalid at ${error.issues[0]?.path.join('.') || 'its root'}`);
  }
  for (const { path } of data.files) {
    if (!isBackedUp(path)) {
      throw new BackupError(`its manifest has the path ${JSON.stringify(path)}, which is not allowed`);
    }
  }
  return data;
}

function isBackedUp(path: string): boolean {
  const [first = '', ...rest] = path.split('/');
  if (escapesRoot(path) || ['', '.'].some((part) => [first, ...rest].includes(part))) return false;
  if (rest.length === 0) return [...BACKED_UP.databases, ...BACKED_UP.files].some((name) => name === first);
  return BACKED_UP.folders.some((name) => name === first);
}
