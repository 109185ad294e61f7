import { reasonOf } from './reason-of.js';

/** Reasons by the error code of the file system. */
const FILE_REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on its disk',
  EDQUOT: 'the quota of its disk is used up',
  EFBIG: 'a file would exceed the size limit of this process or its disk',
  EROFS: 'its disk is read-only',
  EACCES: 'its files may not be written by this user',
  EPERM: 'its files may not be written by this user',
  EIO: 'its disk reports errors',
  EEXIST: 'a path that should be a folder is a file',
  ENOTDIR: 'a path that should be a folder is a file',
  EISDIR: 'a path that should be a file is a folder',
};

/** Why the file system failed, as a phrase after a colon; undefined for other errors. */
export function fileFailure(thrown: unknown): string | undefined {
  const { code, path, syscall } = (thrown ?? {}) as { code?: unknown; path?: unknown; syscall?: unknown };
  // A write to an open file has no path in its error. These codes occur only for files, not for sockets.
  const isOfFile =
    typeof path === 'string' || (syscall === 'write' && /^(ENOSPC|EDQUOT|EFBIG)$/.test(String(code)));
  return isOfFile ? FILE_REASONS[String(code)] : undefined;
}

/** Reasons for a file that the user named. */
const PATH_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file or its folder does not exist',
  EEXIST: 'the file already exists',
  EISDIR: 'it is a folder',
  EACCES: 'this user has no access to it',
};

/** Why a file that the user named could not be read or written, as a phrase after a colon. */
export function pathFailure(thrown: unknown): string {
  const { code } = (thrown ?? {}) as { code?: unknown };
  return PATH_REASONS[String(code)] ?? fileFailure(thrown) ?? reasonOf(thrown);
}

/** SQLITE_BUSY. */
const BUSY = 5;

/** SQLite's primary result codes (sqlite3.h). */
const DATABASE_REASONS: Readonly<Record<number, string>> = {
  [BUSY]: 'another program, such as a backup or sqlite3, has locked its database',
  8: 'its database may not be written by this user',
  10: 'its disk reports errors',
  11: 'its database is damaged',
  13: 'no space is left on its disk',
  14: 'its database cannot be opened',
};

/** SQLite's primary result code, the lowest byte of the extended one; undefined for other errors. */
export function primaryCode(thrown: unknown): number | undefined {
  const { errcode } = (thrown ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGE = new Set([11, 26]);

/** Whether SQLite reports a damaged file. */
export function isDatabaseDamage(thrown: unknown): boolean {
  return DAMAGE.has(primaryCode(thrown) ?? 0);
}

/** Whether another connection holds the lock of the database. */
export function isDatabaseLocked(thrown: unknown): boolean {
  return primaryCode(thrown) === BUSY;
}

/** Why a write to the data folder failed, as a sentence; undefined for other errors. */
export function storageFailure(thrown: unknown): string | undefined {
  const code = primaryCode(thrown);
  const reason = code === undefined ? fileFailure(thrown) : DATABASE_REASONS[code];
  const fix = code === BUSY ? 'Wait until it has ended, or end it' : 'Fix this';
  return reason && `Could not write to the data folder: ${reason}. ${fix}, and try again.`;
}
