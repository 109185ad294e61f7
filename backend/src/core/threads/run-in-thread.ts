import { startThread } from './start-thread.js';

export interface ThreadLimits {
  /** From the start of the thread. */
  milliseconds: number;
  memoryMb: number;
}

/**
 * Runs a file in a thread of its own, once: for what comes from outside and may take long or much memory on purpose.
 * @param beside `import.meta.url` of who calls; the thread's file lies in the same folder.
 * @param name of that file, without its ending.
 * @param data what the thread finds in `workerData.data`.
 * @returns what the thread posts first.
 * @throws Error where it takes more than it may, or fails.
 */
export async function runInThread<TAnswer>(
  beside: string,
  name: string,
  data: unknown,
  { milliseconds, memoryMb }: ThreadLimits,
): Promise<TAnswer> {
  const worker = startThread(beside, name, data, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    stderr: true,
    env: {},
  });
  try {
    return await new Promise<TAnswer>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`it took longer than ${milliseconds} ms`)),
        milliseconds,
      );
      timer.unref();
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => {
        clearTimeout(timer);
        reject(new Error('its thread was ended'));
      });
    });
  } finally {
    worker.on('error', () => undefined);
    await worker.terminate();
  }
}
