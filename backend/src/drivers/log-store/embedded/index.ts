export { openEmbeddedLogStore, type EmbeddedLogStoreOptions } from './embedded-log-store.js';
