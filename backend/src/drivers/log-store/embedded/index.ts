export { openEmbeddedLogStore } from './embedded-log-store.js';
