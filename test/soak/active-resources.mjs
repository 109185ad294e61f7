import { renameSync, writeFileSync } from 'node:fs';
import { env, pid } from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** The server imports this file before all others. It writes the number of its active resources into a file each second. */
if (isMainThread) {
  const file = `${env.SOAK_RESOURCES}.${pid}`;
  const write = () => {
    // Readers never see half a file.
    writeFileSync(`${file}.new`, String(process.getActiveResourcesInfo().length));
    renameSync(`${file}.new`, file);
  };
  setInterval(write, 1000).unref();
}
