import { join } from 'node:path';
import { ServerProcess } from './server-process.js';

export interface Installation {
  server: ServerProcess;
  data: string;
  environment: Record<string, string>;
}

/** @param name of a folder of its own in a folder */
export function environmentOf(
  folder: string,
  name: string,
  more: Record<string, string>,
): Record<string, string> {
  return {
    PATH: '/usr/bin:/bin',
    HOME: join(folder, name),
    APP_DATA_DIR: join(folder, name, 'data'),
    APP_RUNTIME: 'demo',
    ...more,
  };
}

/** Starts applications with their own data folder. */
export async function install(
  folder: string,
  name: string,
  more: Record<string, string>,
  applications: ('dashboard' | 'log-board')[],
): Promise<Installation> {
  const environment = environmentOf(folder, name, more);
  const server = await ServerProcess.start(environment, applications);
  return { server, environment, data: join(folder, name, 'data') };
}
