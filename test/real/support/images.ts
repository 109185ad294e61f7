import { chmodSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineName } from '../../transcripts/transcript.js';
import { pathOf, run } from './engines.js';

/**
 * Builds an image without a registry. Its program is kind, which is installed and statically linked.
 * @param folder for temporary files.
 */
export async function buildImage(engine: EngineName, reference: string, folder: string): Promise<void> {
  const kind = await pathOf('kind');
  copyFileSync(kind, join(folder, 'kind'));
  chmodSync(join(folder, 'kind'), 0o755);
  await run('tar', ['-cf', join(folder, 'root.tar'), '-C', folder, 'kind']);
  await run(engine, ['import', '--change=CMD ["/kind", "version"]', join(folder, 'root.tar'), reference]);
}
