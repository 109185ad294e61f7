export { Database, StorageHealth, type Migration } from './database.js';
export { DataDirectory } from './data-directory.js';
export { InstanceLock } from './instance-lock.js';
export { migrations } from './migrations.js';
export { removeLeftTemporaries, writeFileAtomically, writeFilesAtomically } from './atomic-file.js';
export { withDatabaseLock } from './database-lock.js';
export { LockedError, withLockFile } from './lock-file.js';
export { NotReadableError, readWholeFile } from './whole-file.js';
export { removeServerFile, writeServerFile } from './server-file.js';
