export { copyDatabase } from './copy-database.js';
export { Database, StorageHealth, writeIfPossible, type Migration } from './database.js';
export { DataDirectory } from './data-directory.js';
export { FileCache, versionOf } from './file-cache.js';
export { InstanceLock } from './instance-lock.js';
export { migrations } from './migrations.js';
export {
  removeLeftTemporaries,
  writeFileAtomically,
  writeFilesAtomically,
  replaceUserFile,
} from './atomic-file.js';
export { withDatabaseLock } from './database-lock.js';
export { LockedError, withLockFile } from './lock-file.js';
export { isNewer, newerFormat, newestVersionOf, recordVersion } from './newest-version.js';
export { NotReadableError, readWholeFile } from './whole-file.js';
export { removeServerFile, writeServerFile } from './server-file.js';
