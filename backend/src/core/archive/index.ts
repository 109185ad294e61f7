export * from './read-tar.js';
export { TarWriter } from './tar-writer.js';
