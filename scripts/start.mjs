import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { nodeProgram, root, toolEnvironment } from './process.mjs';

await ensureInstalled();
await ensureBuilt();

const child = spawn(nodeProgram(), [join(root, 'dist', 'backend', 'main.js')], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...toolEnvironment() },
});
// The terminal sends its interrupt to both of us; a service manager sends its signal to us alone.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => (signal === 'SIGTERM' ? child.kill(signal) : undefined));
child.on('close', (code) => process.exit(code ?? 1));
