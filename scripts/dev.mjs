import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { watch } from './bundler.mjs';
import { copyServerAssets, serverBundle } from './bundle-server.mjs';
import { ensureInstalled } from './install.mjs';
import { root, say, serverCommand, tool, toolEnvironment } from './process.mjs';

/** Of the servers of pages in angular.json. */
const PAGE_PORTS = [4200, 4201];
const SERVER = join(root, 'dist', 'server');

await ensureInstalled();
say(
  'the servers are built and run at http://localhost:8080 and :9001, their pages at http://localhost:4200 (dashboard) and :4201 (log board); all follow your changes',
);

const environment = {
  ...process.env,
  ...toolEnvironment(),
  // The pages come from the other server here, which passes their calls on under its own name.
  APP_ALLOWED_HOSTS: [
    process.env.APP_ALLOWED_HOSTS,
    ...PAGE_PORTS.flatMap((port) => [`localhost:${port}`, `127.0.0.1:${port}`]),
  ]
    .filter(Boolean)
    .join(','),
};
/** Each in a group of its own: what a watcher has started does not end with the watcher. */
const start = (program, ...args) =>
  spawn(program, args, { cwd: root, stdio: 'inherit', env: environment, detached: true });
const pages = [start(tool('ng'), 'serve', 'dashboard'), start(tool('ng'), 'serve', 'log-board')];
let server;
let isStopping = false;
const watcher = watch(serverBundle(SERVER));
watcher.on('event', async (event) => {
  if (event.code === 'ERROR') process.stderr.write(`${event.error.message}\n`);
  if (event.code !== 'BUNDLE_END') return;
  await event.result.close();
  copyServerAssets(SERVER);
  await end(server);
  if (!isStopping) server = start(...serverCommand());
});

/** Ends a process and those that it has started. */
async function end(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  process.kill(-child.pid, 'SIGTERM');
  await closed;
}

async function stop() {
  isStopping = true;
  await Promise.all([watcher.close(), ...[server, ...pages].map(end)]);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
for (const part of pages) part.on('close', stop);
