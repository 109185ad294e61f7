import { spawn } from 'node:child_process';

/** Removes a file after a time, also if this process has ended by then. */
export function removeFileLater(path: string, milliseconds: number): void {
  const script = `setTimeout(() => fs.rmSync(process.argv[1], { force: true }), ${milliseconds})`;
  const child = spawn(process.execPath, ['-e', script, path], { detached: true, stdio: 'ignore', env: {} });
  child.on('error', () => undefined).unref();
}
