// Before any class with a decorator.
import 'reflect-metadata';
import { join } from 'node:path';
import { cacheFolder } from './core/config/environment.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 15)) {
  // Before anything else is loaded: what was compiled once starts faster the next time. Without a writable folder, Node
  // compiles everything again. Node 20 does not have this export.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(join(cacheFolder(), 'compiled'));
  const { runCommandLine } = await import('./apps/cli/index.js');
  process.exitCode = await runCommandLine(process.argv.slice(2));
} else {
  process.stderr.write(
    `slipway: Slipway needs Node.js 22.15 or later, and this is ${process.version}. Install a later one from https://nodejs.org.\n`,
  );
  process.exitCode = 1;
}
