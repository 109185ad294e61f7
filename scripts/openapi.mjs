import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureApiTypes } from './api-types.mjs';
import { ensureBuilt } from './build.mjs';
import { writeDocs } from './docs.mjs';
import { root, say } from './process.mjs';

/** Files of the OpenAPI documents. */
const OUTPUTS = { dashboard: 'openapi.json', 'log-board': 'openapi.log-board.json' };

/** Writes what each of the built applications would serve at /openapi.json; nothing listens for it. */
await ensureBuilt(['backend']);
await import('reflect-metadata');
const { readConfiguration } = await import('../dist/backend/src/core/config/index.js');
const { bootstrap } = await import('../dist/backend/src/apps/bootstrap.js');
const { createDashboard } = await import('../dist/backend/src/apps/dashboard/create-dashboard.js');
const { createLogBoard } = await import('../dist/backend/src/apps/log-board/create-log-board.js');
const create = { dashboard: createDashboard, 'log-board': createLogBoard };
const folder = mkdtempSync(join(tmpdir(), 'slipway-openapi-'));
try {
  const foundation = await bootstrap(
    readConfiguration({ APP_RUNTIME: 'demo', APP_DATA_DIR: folder, APP_LOG_LEVEL: 'error' }),
    { applications: Object.keys(OUTPUTS) },
  );
  for (const [name, file] of Object.entries(OUTPUTS)) {
    const { app, apiDocument } = await create[name](foundation);
    const output = join(root, file);
    writeFileSync(output, `${toLines(apiDocument(), 3)}\n`);
    await app.close();
    say(`wrote ${output}`);
  }
  foundation.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
await ensureApiTypes();
await writeDocs();

/** JSON with one line for each operation and each component, so that a diff shows which of them changed. */
function toLines(value, depth) {
  if (depth === 0 || typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, entry]) => `${JSON.stringify(key)}: ${toLines(entry, depth - 1)}`,
  );
  return `{\n${entries.join(',\n')}\n}`;
}
