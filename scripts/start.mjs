import { spawn } from 'node:child_process';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { root, serverCommand, serverEnvironment } from './process.mjs';

/** How often it is asked whether npm is still there. */
const PARENT_POLL_MS = 500;

await ensureInstalled();
await ensureBuilt();

const [program, ...args] = serverCommand(...process.argv.slice(2));
const child = spawn(program, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...serverEnvironment() },
});
// The terminal sends its interrupt to both of us; a service manager sends its signal to us alone.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => (signal === 'SIGTERM' ? child.kill(signal) : undefined));
// npm ends on a signal, and its shell with it, but neither passes the signal on: without this the server
// would stay behind with nobody to stop it.
if (process.env.npm_lifecycle_event === 'start') {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, PARENT_POLL_MS);
}
child.on('close', (code) => process.exit(code ?? 1));
