import { spawn } from 'node:child_process';
import { ensureInstalled } from './install.mjs';
import { root, say, tool, toolEnvironment } from './process.mjs';

/** Of the servers of pages in angular.json. */
const PAGE_PORTS = [4200, 4201];

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
  spawn(tool(program), args, { cwd: root, stdio: 'inherit', env: environment, detached: true });
const parts = [
  start('nest', 'start', '--watch', '--preserveWatchOutput'),
  start('ng', 'serve', 'dashboard'),
  start('ng', 'serve', 'log-board'),
];
const stop = () => {
  for (const { pid } of parts) {
    try {
      process.kill(-pid, 'SIGTERM');
    } catch {
      // Its group has ended already.
    }
  }
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
for (const part of parts) part.on('close', stop);
