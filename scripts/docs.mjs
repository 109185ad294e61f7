import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderDocuments } from '../test/support/docs/render-documents.ts';
import { ensureBuilt } from './build.mjs';
import { root, run } from './process.mjs';

const PARTS = [
  'core/config/index.js',
  'core/errors/index.js',
  'core/api/error-responses.js',
  'modules/addons/catalog/catalog.js',
];

/** Writes `.env.example` and the generated tables in `docs/`. @returns the exit status. */
export async function writeDocs() {
  await ensureBuilt(['backend']);
  const parts = await Promise.all(PARTS.map((path) => import(`../dist/backend/src/${path}`)));
  const documents = renderDocuments(Object.assign({}, ...parts), (file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  for (const [file, text] of documents) writeFileSync(join(root, file), text);
  return (await run('prettier', ['--write', '--log-level=warn', 'docs'])).status;
}

if (process.argv[1]?.endsWith('scripts/docs.mjs')) process.exitCode = await writeDocs();
