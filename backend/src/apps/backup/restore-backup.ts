import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, realpath, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { readTar, type TarEntry } from '../../core/archive/index.js';
import { readProject } from '../../core/config/index.js';
import { reasonOf } from '../../core/errors/reason-of.js';
import { fileFailure, pathFailure } from '../../core/errors/storage-failure.js';
import { InstanceLock, isNewer } from '../../core/storage/index.js';
import { BackupError } from './backup-error.js';
import { finishRestore } from './finish-restore.js';
import { decrypt, HEADER_BYTES, isEncrypted } from './encryption.js';
import { MANIFEST_NAME, MAX_FILES, MAX_MANIFEST_BYTES, parseManifest, type Manifest } from './manifest.js';

/** More than a data folder can have with the largest APP_LOG_HISTORY_SIZE that makes sense. */
const MAX_BYTES = 1e12;
const MAX_MILLISECONDS = 24 * 3600 * 1000;

export interface RestoreOptions {
  /** Path of the backup. */
  file: string;
  dataDirectory: string;
  /** Called if the backup is encrypted. */
  passphrase: () => Promise<string>;
  /** Rejects a file that is not encrypted. */
  mustBeEncrypted?: boolean;
  /** Moves an existing data folder aside. */
  replaces?: boolean;
  /** Keeps the sessions, access tokens and known browsers of the backup. */
  keepsAccess?: boolean;
  signal?: AbortSignal | undefined;
}

export interface Restored {
  manifest: Manifest;
  /** New path of the data folder that existed. */
  movedTo: string | null;
  /** Number of newer journal entries of that folder. */
  copiedEntries: number;
}

/**
 * Restores a data folder from a backup, all of it or nothing: into a folder beside it, which is renamed at the end. The
 * content of the backup is untrusted.
 * @throws BackupError, or an error of the file system. Then the data folder is unchanged.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { replaces = false, keepsAccess = false, file } = options;
  // A link to the folder stays.
  const dataDirectory = await realpath(options.dataDirectory).catch(() => options.dataDirectory);
  const exists = await isFilled(dataDirectory);
  if (exists && !replaces) {
    throw new BackupError(
      `${dataDirectory} is not empty. Choose another APP_DATA_DIR, or move the existing data aside with --force.`,
    );
  }
  const locks = exists ? lockAll(dataDirectory) : [];
  const staging = await makeFolderBeside(dataDirectory);
  try {
    const manifest = await extract(options, staging);
    const replaced = exists ? dataDirectory : null;
    const copiedEntries = await finishRestore({
      folder: staging,
      replaced,
      manifest,
      file,
      keepsAccess,
    }).catch((cause: unknown) => {
      throw new BackupError(`Could not restore ${file}: ${reasonOf(cause)}. Nothing was restored.`, {
        cause,
      });
    });
    const movedTo = exists
      ? `${dataDirectory}.before-restore-${new Date().toISOString().replace(/[:.]/g, '-')}`
      : null;
    if (movedTo !== null) await rename(dataDirectory, movedTo);
    try {
      // Replaces an empty folder, and fails if another process has filled it.
      await rename(staging, dataDirectory);
    } catch (error) {
      if (movedTo !== null) await rename(movedTo, dataDirectory);
      throw error;
    }
    return { manifest, movedTo, copiedEntries };
  } finally {
    for (const lock of locks) lock.release();
    await rm(staging, { recursive: true, force: true });
  }
}

/** A new folder with mode 0700. */
async function makeFolderBeside(folder: string): Promise<string> {
  const parent = dirname(folder);
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    return await mkdtemp(join(parent, '.slipway-restore-'));
  } catch (error) {
    throw new BackupError(
      `Could not create a folder in ${parent}: ${fileFailure(error) ?? reasonOf(error)}. If the data folder is a mount point, set APP_DATA_DIR to a folder in it.`,
      { cause: error },
    );
  }
}

async function isFilled(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** @throws Error if Slipway uses the folder. */
function lockAll(folder: string): InstanceLock[] {
  const dashboard = InstanceLock.acquire(folder, 'dashboard');
  try {
    return [dashboard, InstanceLock.acquire(folder, 'log-board')];
  } catch (error) {
    dashboard.release();
    throw error;
  }
}

async function extract(
  { file, passphrase, mustBeEncrypted = false, signal }: RestoreOptions,
  folder: string,
): Promise<Manifest> {
  const isLocked = isEncrypted(await readHead(file));
  if (mustBeEncrypted && !isLocked) {
    throw new BackupError(
      `${file} is not encrypted, so it may not be the backup that you encrypted. Nothing was restored. Check the file, or leave the passphrase out.`,
    );
  }
  const secret = isLocked ? await passphrase() : undefined;
  let restoring: Restoration | undefined;
  try {
    const source: Readable = createReadStream(file);
    const archive = secret === undefined ? source : await decrypt(source, secret);
    const limits = { entries: MAX_FILES + 1, bytes: MAX_BYTES, milliseconds: MAX_MILLISECONDS };
    await readTar(archive, { limits, gzipped: true, ...(signal && { signal }) }, async (entry) => {
      if (restoring) await restoring.add(entry);
      else restoring = await Restoration.begin(entry, folder);
    });
    if (!restoring) throw new BackupError('it is empty');
    return restoring.end();
  } catch (error) {
    // If the source fails, the content of the current entry never ends.
    await restoring?.cancel();
    const disk = fileFailure(error);
    if (disk !== undefined) {
      throw new BackupError(`Could not restore to ${folder}: ${disk}.`, { cause: error });
    }
    signal?.throwIfAborted();
    const reason =
      error instanceof BackupError ? error.message : `it is damaged, or is not a backup (${reasonOf(error)})`;
    throw new BackupError(
      `Could not restore ${file}: ${reason}. Nothing was restored. Check that the file is a complete backup of Slipway.`,
      { cause: error },
    );
  }
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw new BackupError(`Could not read the backup ${file}: ${pathFailure(error)}.`, { cause: error });
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The files of one backup, on their way into a folder. */
class Restoration {
  private readonly missing: Map<string, Manifest['files'][number]>;
  private readonly stop = new AbortController();
  private adding: Promise<void> | undefined;

  private constructor(
    private readonly manifest: Manifest,
    private readonly folder: string,
  ) {
    this.missing = new Map(manifest.files.map((file) => [file.path, file]));
  }

  /** @param entry the first one of the archive. @throws BackupError */
  static async begin({ path, size, content }: TarEntry, folder: string): Promise<Restoration> {
    if (path !== MANIFEST_NAME || size > MAX_MANIFEST_BYTES) {
      throw new BackupError('it does not begin with a manifest');
    }
    const manifest = parseManifest(await text(content));
    const { version } = readProject();
    if (isNewer(manifest.version, version)) {
      throw new BackupError(
        `Slipway ${manifest.version} made it, and this is Slipway ${version}. Restore it with Slipway ${manifest.version} or newer`,
      );
    }
    const bytes = manifest.files.reduce((sum, { size: one }) => sum + one, 0);
    const { bavail, bsize } = await statfs(folder);
    if (bytes > bavail * bsize) {
      throw new BackupError(
        `it needs ${megabytes(bytes)}, and the disk of the data folder has ${megabytes(bavail * bsize)} free`,
      );
    }
    return new Restoration(manifest, folder);
  }

  /** @throws BackupError if the file is not as in the manifest. */
  async add(entry: TarEntry): Promise<void> {
    this.adding = this.write(entry);
    await this.adding;
  }

  /** Resolves when nothing is written any more. */
  async cancel(): Promise<void> {
    this.stop.abort();
    await this.adding?.catch(() => undefined);
  }

  private async write({ path, type, size, content }: TarEntry): Promise<void> {
    const expected = this.missing.get(path);
    if (expected?.size !== size || type !== 'File') {
      throw new BackupError(`${JSON.stringify(path)} is not as in its manifest`);
    }
    this.missing.delete(path);
    const target = join(this.folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const hash = createHash('sha256');
    await pipeline(
      content,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
      { signal: this.stop.signal },
    );
    if (hash.digest('hex') !== expected.sha256) {
      throw new BackupError(`the content of ${JSON.stringify(path)} is damaged`);
    }
  }

  /** @throws BackupError if files are missing. */
  end(): Manifest {
    const [path] = this.missing.keys();
    if (path !== undefined) throw new BackupError(`${JSON.stringify(path)} is missing in it`);
    return this.manifest;
  }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
