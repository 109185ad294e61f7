import 'reflect-metadata';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Before anything else is loaded: what was compiled once starts faster the next time.
enableCompileCache(join(process.cwd(), '.cache', 'compiled'));
const { start } = await import('./apps/start.js');
process.exitCode = await start(process.argv.slice(2));
