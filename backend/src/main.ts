// Before any class with a decorator.
import 'reflect-metadata';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from './core/config/environment.js';

// Before anything else is loaded: what was compiled once starts faster the next time. Without a writable folder, Node
// compiles everything again.
enableCompileCache(join(cacheFolder(), 'compiled'));
const { runCommandLine } = await import('./apps/cli/index.js');
process.exitCode = await runCommandLine(process.argv.slice(2));
