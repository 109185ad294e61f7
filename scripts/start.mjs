import { spawn } from 'node:child_process';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { root, serverCommand, serverEnvironment } from './process.mjs';

/** Interval of the check whether npm is still running. */
const PARENT_POLL_MS = 500;

await ensureInstalled();
await ensureBuilt();

const [program, ...args] = serverCommand(...process.argv.slice(2));
const child = spawn(program, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...serverEnvironment() },
});
// A terminal interrupts both processes; a service manager signals only this one.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => (signal === 'SIGTERM' ? child.kill(signal) : undefined));
// npm and its shell exit on a signal without passing it on. Without this check, the server would keep running.
if (process.env.npm_lifecycle_event === 'start') {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, PARENT_POLL_MS);
}
child.on('close', (code) => process.exit(code ?? 1));
