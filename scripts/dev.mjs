import { spawn } from 'node:child_process';
import { ensureInstalled } from './install.mjs';
import { root, say, tool, toolEnvironment } from './process.mjs';

await ensureInstalled();
say(
  'the API is built and run at http://localhost:8080, the pages at http://localhost:4200; both follow your changes',
);

const environment = {
  ...process.env,
  ...toolEnvironment(),
  // The pages come from the other server here, which passes their calls on under its own name.
  APP_ALLOWED_HOSTS: [process.env.APP_ALLOWED_HOSTS, 'localhost:4200', '127.0.0.1:4200']
    .filter(Boolean)
    .join(','),
};
const halves = [
  spawn(tool('nest'), ['start', '--watch', '--preserveWatchOutput'], {
    cwd: root,
    stdio: 'inherit',
    env: environment,
  }),
  spawn(tool('ng'), ['serve'], { cwd: root, stdio: 'inherit', env: environment }),
];
const stop = () => {
  for (const half of halves) half.kill('SIGTERM');
};
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
for (const half of halves) half.on('close', stop);
