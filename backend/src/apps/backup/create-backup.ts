import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { copyFile, link, lstat, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { TarWriter } from '../../core/archive/index.js';
import { reasonOf } from '../../core/errors/reason-of.js';
import { fileFailure, pathFailure } from '../../core/errors/storage-failure.js';
import { copyDatabase, newestVersionOf } from '../../core/storage/index.js';
import { BackupError } from './backup-error.js';
import { encrypt } from './encryption.js';
import {
  BACKED_UP,
  BACKUP_FORMAT,
  isTransient,
  MANIFEST_NAME,
  MAX_FILES,
  type BackedUpFile,
  type Manifest,
} from './manifest.js';

export interface BackupOptions {
  dataDirectory: string;
  /** Path of the new file. */
  file: string;
  /** Encrypts the file in the age format. */
  passphrase?: string | undefined;
  /** Replaces an existing file. */
  replaces?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Writes a data folder to one file with mode 0600: a tar compressed with gzip, optionally encrypted. Slipway may run: each
 * database is copied as it is at one moment. Needs free space for the copies, which are beside the file meanwhile.
 * @throws BackupError, or an error of the file system or SQLite. Then there is no new file.
 */
export async function createBackup({
  dataDirectory,
  file,
  passphrase,
  replaces = false,
  signal,
}: BackupOptions): Promise<Manifest> {
  if (!existsSync(join(dataDirectory, BACKED_UP.databases[0]))) {
    throw new BackupError(
      `There is nothing to back up: ${dataDirectory} is not a data folder of Slipway. Set APP_DATA_DIR to the data folder.`,
    );
  }
  const exists = new BackupError(`${file} already exists. Choose another file, or replace it with --force.`);
  if (!replaces && existsSync(file)) throw exists;
  // Mode 0700.
  const staging = await mkdtemp(join(dirname(file), '.slipway-backup-')).catch((error: unknown) => {
    throw new BackupError(`Could not write to ${dirname(file)}: ${pathFailure(error)}.`, {
      cause: error,
    });
  });
  try {
    const copies = join(staging, 'data');
    await mkdir(copies);
    const schemas = copyDatabases(dataDirectory, copies);
    for (const name of [...BACKED_UP.files, ...BACKED_UP.folders]) await copyAll(dataDirectory, copies, name);
    const manifest: Manifest = {
      format: BACKUP_FORMAT,
      version: newestVersionOf(dataDirectory),
      created_at: new Date().toISOString(),
      schemas,
      files: await describeFiles(copies),
    };
    const written = join(staging, 'backup');
    await writeArchive(copies, manifest, { file: written, passphrase, signal });
    if (replaces) await rename(written, file);
    else {
      await linkOrRename(written, file).catch((error: unknown) => {
        throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? exists : error;
      });
    }
    return manifest;
  } catch (error) {
    if (error instanceof BackupError) throw error;
    signal?.throwIfAborted();
    throw new BackupError(
      `Could not back up ${dataDirectory}: ${fileFailure(error) ?? reasonOf(error)}. No file was written.`,
      { cause: error },
    );
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** @returns the schema of each database that exists. */
function copyDatabases(from: string, to: string): Record<string, number> {
  const schemas: Record<string, number> = {};
  for (const name of BACKED_UP.databases) {
    if (existsSync(join(from, name))) schemas[name] = copyDatabase(join(from, name), join(to, name));
  }
  return schemas;
}

/** Copies a file or folder without links and temporary files. What is deleted meanwhile is skipped. */
async function copyAll(from: string, to: string, name: string): Promise<void> {
  const [source, target] = [join(from, name), join(to, name)];
  try {
    const state = await lstat(source);
    if (state.isFile()) await copyFile(source, target);
    if (!state.isDirectory()) return;
    await mkdir(target);
    for (const child of await readdir(source)) {
      if (!isTransient(child)) await copyAll(source, target, child);
    }
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || path !== source) throw error;
  }
}

async function describeFiles(folder: string): Promise<BackedUpFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  if (files.length > MAX_FILES) throw new BackupError(`The data folder has more than ${MAX_FILES} files.`);
  const described: BackedUpFile[] = [];
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      size += chunk.length;
    }
    described.push({ path: relative(folder, file).split(sep).join('/'), size, sha256: hash.digest('hex') });
  }
  return described.sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function writeArchive(
  folder: string,
  manifest: Manifest,
  { file, passphrase, signal }: Pick<BackupOptions, 'file' | 'passphrase' | 'signal'>,
): Promise<void> {
  // Most bytes are log lines, which are compressed already.
  const archive = new TarWriter(new Date(manifest.created_at), 1);
  const source = passphrase === undefined ? archive.stream : await encrypt(archive.stream, passphrase);
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  const writing = writeFiles(archive, folder, manifest);
  writing.catch((error: unknown) => archive.stream.destroy(error as Error));
  try {
    await pipeline(source, target, { signal });
  } finally {
    archive.stream.destroy();
  }
  await writing;
}

async function writeFiles(archive: TarWriter, folder: string, manifest: Manifest): Promise<void> {
  await archive.text(MANIFEST_NAME, `${JSON.stringify(manifest, null, 2)}\n`);
  for (const { path, size } of manifest.files) {
    await archive.file(path, size, createReadStream(join(folder, path)) as AsyncIterable<Buffer>);
  }
  archive.end();
}

/** Gives a file its final name, unless a file with that name exists. @throws Error with code EEXIST */
async function linkOrRename(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    // Some file systems do not support links.
    if (existsSync(to)) throw error;
    await rename(from, to);
  }
}
