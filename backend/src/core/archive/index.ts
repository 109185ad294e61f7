export {
  ArchiveLimitError,
  escapesRoot,
  readTar,
  type ArchiveLimits,
  type ReadTarOptions,
  type TarEntry,
} from './read-tar.js';
export { TarWriter } from './tar-writer.js';
