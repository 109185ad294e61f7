import { reasonOf } from './reason-of.js';

const READ_ONLY_FOR_USER = 'its files may not be written by this user';
const NOT_A_FOLDER = 'a path that should be a folder is a file';
const DISCONNECTED = 'its network disk was disconnected';
const UNSUPPORTED = 'its file system does not support this operation';

const NO_MEMORY = 'the system has no free memory';
/** Limits of the process and the system. They concern more than one file. */
const LIMITS: Readonly<Record<string, string>> = {
  EMFILE: 'this process has too many open files',
  ENFILE: 'the system has too many open files',
  ENOMEM: NO_MEMORY,
};

/** Reasons by the error code of the file system. */
const FILE_REASONS: Readonly<Record<string, string>> = {
  ...LIMITS,
  ENOSPC: 'no space is left on its disk',
  EDQUOT: 'the quota of its disk is used up',
  EFBIG: 'a file would exceed the size limit of this process or its disk',
  EROFS: 'its disk is read-only',
  EACCES: READ_ONLY_FOR_USER,
  EPERM: READ_ONLY_FOR_USER,
  EIO: 'its disk reports errors',
  ENODEV: 'its disk is missing',
  ENXIO: 'its disk is missing',
  ESTALE: DISCONNECTED,
  ENOTCONN: DISCONNECTED,
  ETIMEDOUT: 'its network disk does not respond',
  EBUSY: 'a file is in use, for example as a mount point',
  ETXTBSY: 'a file is a program that is running',
  EAGAIN: 'another program has locked a file',
  ENOLCK: 'its disk has no more file locks',
  EEXIST: NOT_A_FOLDER,
  ENOTDIR: NOT_A_FOLDER,
  EISDIR: 'a path that should be a file is a folder',
  ENOENT: 'a file or folder does not exist',
  ENOTEMPTY: 'a folder that should be empty has files',
  ELOOP: 'a symbolic link is circular',
  EMLINK: 'a file has too many links',
  EXDEV: 'a file is on another disk than its folder',
  ENAMETOOLONG: 'a path is too long',
  EOVERFLOW: 'a file is too large for this system',
  EINVAL: UNSUPPORTED,
  ENOSYS: UNSUPPORTED,
  ENOTSUP: UNSUPPORTED,
  EOPNOTSUPP: UNSUPPORTED,
};

/** Calls of sockets and processes. */
const OTHER_CALLS = /^(?:connect|listen|bind|accept|shutdown|getaddrinfo|send|recv|query|spawn|kill)/;
/** A read or write without a path may be of a socket, except with these codes. */
const CODES_OF_FILES = /^(?:ENOSPC|EDQUOT|EFBIG|EISDIR|EIO|ESTALE)$/;

/** Why the file system failed, as a phrase after a colon; undefined for other errors. */
export function fileFailure(thrown: unknown): string | undefined {
  const { code, path, syscall } = (thrown ?? {}) as { code?: unknown; path?: unknown; syscall?: unknown };
  const name = String(code);
  if (typeof syscall === 'string' && Object.hasOwn(LIMITS, name)) return LIMITS[name];
  if (typeof syscall === 'string' && OTHER_CALLS.test(syscall)) return undefined;
  const isStream = syscall === 'read' || syscall === 'write' || syscall === undefined;
  const isOfFile = typeof path === 'string' || !isStream || CODES_OF_FILES.test(name);
  if (isOfFile && Object.hasOwn(FILE_REASONS, name)) return FILE_REASONS[name];
  return typeof path === 'string' && !isStream ? `its file system reports ${name}` : undefined;
}

/** Reasons for a file that the user named. */
const PATH_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file or its folder does not exist',
  EEXIST: 'the file already exists',
  EISDIR: 'it is a folder',
  EACCES: 'this user has no access to it',
  EPERM: 'this user has no access to it',
  ETXTBSY: 'it is a program that is running',
  E2BIG: 'its arguments are too long',
};

/** Why a file that the user named could not be read or written, as a phrase after a colon. */
export function pathFailure(thrown: unknown): string {
  const { code } = (thrown ?? {}) as { code?: unknown };
  return PATH_REASONS[String(code)] ?? fileFailure(thrown) ?? FILE_REASONS[String(code)] ?? reasonOf(thrown);
}

/** SQLITE_BUSY. */
const BUSY = 5;

/** SQLite's primary result codes (sqlite3.h). */
const DATABASE_REASONS: Readonly<Record<number, string>> = {
  [BUSY]: 'another program, such as a backup or sqlite3, has locked its database',
  8: 'its database may not be written by this user',
  7: NO_MEMORY,
  10: 'its disk reports errors',
  11: 'its database is damaged',
  13: 'no space is left on its disk',
  14: 'its database cannot be opened',
  26: 'its database is damaged',
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
  const limit = Object.hasOwn(LIMITS, String((thrown as { code?: unknown } | null | undefined)?.code));
  const what = limit ? 'complete the operation' : 'write to the data folder';
  return reason && `Could not ${what}: ${reason}. ${fix}, and try again.`;
}
