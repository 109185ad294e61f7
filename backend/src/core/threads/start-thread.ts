import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * What a thread runs first when the product runs from its sources, in specs: Node strips types by itself, but
 * knows neither parameter properties nor that `./x.js` is made from `./x.ts`.
 */
const FROM_SOURCES = `
const { registerHooks, stripTypeScriptTypes } = require('node:module');
const { existsSync, readFileSync } = require('node:fs');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { workerData } = require('node:worker_threads');
registerHooks({
  resolve(specifier, context, next) {
    if (/^\\.{1,2}\\/.*\\.js$/.test(specifier)) {
      const source = new URL(specifier.slice(0, -3) + '.ts', context.parentURL);
      if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'), { mode: 'transform' });
    return { format: 'module', source, shortCircuit: true };
  },
});
import(pathToFileURL(workerData.entry).href);
`;

/**
 * Starts a thread.
 * @param beside `import.meta.url` of who starts it; the thread's file lies in the same folder.
 * @param name of that file, without its ending.
 * @param data what the thread finds in `workerData.data`.
 */
export function startThread(
  beside: string,
  name: string,
  data: unknown,
  options: WorkerOptions = {},
): Worker {
  const isSource = beside.endsWith('.ts');
  const entry = fileURLToPath(new URL(`./${name}${isSource ? '.ts' : '.js'}`, beside));
  const all = { ...options, name, workerData: { entry, data } };
  if (!isSource) return new Worker(entry, all);
  // Flags of the test runner are none of the thread's.
  return new Worker(FROM_SOURCES, {
    ...all,
    eval: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
}
