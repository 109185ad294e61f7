import { join } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { nodeProgram, root, run, tool, toolEnvironment } from './process.mjs';

const SPEC = 'test/architecture/generated-docs.spec.ts';

/** Writes `.env.example` and the generated tables in `docs/`, through the spec that otherwise compares them. */
export async function writeDocs() {
  const environment = { ...toolEnvironment(), WRITE_DOCS: '1' };
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const { status } = await run(nodeProgram(), ['--experimental-vm-modules', jest, '--runTestsByPath', SPEC], {
    environment,
  });
  if (status !== 0) return status;
  return (await run(tool('prettier'), ['--write', '--log-level=warn', 'docs'], { environment })).status;
}

if (process.argv[1] === import.meta.filename) {
  await ensureInstalled();
  process.exitCode = await writeDocs();
}
