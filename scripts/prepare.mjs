import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

/** What `npm start` does before it runs bin/slipway: installs and builds only what running needs. */
await ensureInstalled('run');
await ensureBuilt(['backend', 'frontend']);
