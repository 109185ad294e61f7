import { Worker, type WorkerOptions } from 'node:worker_threads';
import { entryPoint } from './entry-point.js';

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
  const { file, ...forSources } = entryPoint(beside, name);
  return new Worker(file, { ...options, ...forSources, name, workerData: data });
}
