import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Command line options of threads in specs. */
const SOURCE_ARGUMENTS = [
  '--disable-warning=ExperimentalWarning',
  '--import',
  new URL('../../../../test/support/threads/load-sources.mjs', import.meta.url).href,
];

/**
 * Starts a thread.
 * @param beside `import.meta.url` of a file in the folder of the thread's file.
 * @param name of the thread's file without extension.
 * @param data for `workerData`.
 */
export function startThread(
  beside: string,
  name: string,
  data: unknown,
  options: WorkerOptions = {},
): Worker {
  const isSource = beside.endsWith('.ts');
  const entry = new URL(`./${name}${isSource ? '.ts' : '.js'}`, beside);
  // Specs run the sources, which Node cannot load on its own.
  return new Worker(entry, {
    ...options,
    ...(isSource && { execArgv: SOURCE_ARGUMENTS }),
    name,
    workerData: data,
  });
}
