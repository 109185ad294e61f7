/** What the file system says, by its code. */
const FILE_REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no room is left on its disk',
  EDQUOT: 'the quota of its disk is used up',
  EFBIG: 'a file would grow beyond what this process or its disk allows',
  EROFS: 'its disk is read-only',
  EACCES: 'its files may not be written by this user',
  EPERM: 'its files may not be written by this user',
  EIO: 'its disk reports errors',
  EEXIST: 'a file stands where a folder should be',
  ENOTDIR: 'a file stands where a folder should be',
  EISDIR: 'a folder stands where a file should be',
};

/** Why the file system refused, in words that follow a colon; undefined for errors that are about something else. */
export function fileFailure(thrown: unknown): string | undefined {
  const { code, path, syscall } = (thrown ?? {}) as { code?: unknown; path?: unknown; syscall?: unknown };
  // A write into an open file names no path. Only files have room and quotas: sockets fail otherwise.
  const isOfFile =
    typeof path === 'string' || (syscall === 'write' && /^(ENOSPC|EDQUOT|EFBIG)$/.test(String(code)));
  return isOfFile ? FILE_REASONS[String(code)] : undefined;
}

/** SQLite's primary result codes (sqlite3.h). */
const DATABASE_REASONS: Readonly<Record<number, string>> = {
  8: 'its database may not be written by this user',
  10: 'its disk reports errors',
  11: 'its database is damaged',
  13: 'no room is left on its disk',
  14: 'its database cannot be opened',
};

/** SQLite's result code, of which the extended ones hold the primary one in their lowest byte; undefined of others. */
export function primaryCode(thrown: unknown): number | undefined {
  const { errcode } = (thrown ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}

/** Result codes of SQLite for a damaged file: CORRUPT and NOTADB. */
const DAMAGE = new Set([11, 26]);

/** Whether SQLite reports that the content of a file is damaged. */
export function isDatabaseDamage(thrown: unknown): boolean {
  return DAMAGE.has(primaryCode(thrown) ?? 0);
}

/**
 * Why the data folder did not take a write, in a sentence; undefined for errors that are about something else.
 * Neither is a defect of the product, and the person who reads it can change it.
 */
export function storageFailure(thrown: unknown): string | undefined {
  const code = primaryCode(thrown);
  const reason = code === undefined ? fileFailure(thrown) : DATABASE_REASONS[code];
  return reason && `The data folder cannot be written: ${reason}. Put that right, and try again.`;
}
