import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { nodeProgram, root, run, say, toolEnvironment } from './process.mjs';

const OUTPUT = join(root, 'openapi.json');

if (process.argv[2] === 'write') await write();
else {
  await ensureInstalled();
  await ensureBuilt(['backend']);
  // The backend needs the project's own Node, which need not be the one that runs this file.
  const { status } = await run(nodeProgram(), [join(root, 'scripts', 'openapi.mjs'), 'write'], {
    environment: toolEnvironment(),
  });
  process.exitCode = status;
}

/** Writes what the built dashboard would serve at /openapi.json; nothing listens for it. */
async function write() {
  await import('reflect-metadata');
  const { format, resolveConfig } = await import('prettier');
  const { readConfiguration } = await import('../dist/backend/core/config/index.js');
  const { layFoundation } = await import('../dist/backend/apps/lay-foundation.js');
  const { createDashboard } = await import('../dist/backend/apps/dashboard/create-dashboard.js');
  const { createOpenApiDocument } = await import('../dist/backend/apps/http/openapi.js');
  const { dashboardDocument } = await import('../dist/backend/apps/dashboard/document.js');
  const folder = mkdtempSync(join(tmpdir(), 'slipway-openapi-'));
  try {
    const foundation = await layFoundation(
      readConfiguration({ APP_RUNTIME: 'demo', APP_DATA_DIR: folder, APP_LOG_LEVEL: 'error' }),
    );
    const { app } = await createDashboard(foundation);
    const text = JSON.stringify(createOpenApiDocument(app, dashboardDocument()), null, 2);
    writeFileSync(OUTPUT, await format(text, { ...(await resolveConfig(OUTPUT)), parser: 'json' }));
    await app.close();
    foundation.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  say(`wrote ${OUTPUT}`);
}
