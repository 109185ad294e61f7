import { readFile, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import type { Configuration } from '../../../core/config/index.js';

/** The parts of this machine that discovery uses. An interface, so that specs can describe any machine. */
export interface HostView {
  platform: NodeJS.Platform;
  /** Numeric user id; undefined on Windows. */
  userId: number | undefined;
  home: string;
  temporaryDirectory: string;
  environment: Readonly<Record<string, string | undefined>>;
  isSocket: (path: string) => Promise<boolean>;
  /** The text of a file; undefined if it cannot be read. */
  readText: (path: string) => Promise<string | undefined>;
}

export function localHost(configuration: Configuration): HostView {
  return {
    platform: configuration.platform,
    userId: process.getuid?.(),
    home: configuration.environment['HOME'] ?? homedir(),
    temporaryDirectory: configuration.environment['TMPDIR'] ?? tmpdir(),
    environment: configuration.environment,
    // False also if its folder is not accessible.
    isSocket: async (path) => (await stat(path).catch(() => undefined))?.isSocket() ?? false,
    readText: async (path) => await readFile(path, 'utf8').catch(() => undefined),
  };
}
