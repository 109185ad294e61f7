import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { parseEnv } from 'node:util';
import { readProject } from './project.js';

/**
 * This process's environment over the settings file: `SLIPWAY_ENV_FILE`, otherwise `.env` in the installation, otherwise
 * `slipway/slipway.env` in the user's folder for settings. Never the current folder, which may belong to anyone. No other
 * code reads `process.env`.
 * @throws Error with a message for the user.
 */
export function readEnvironment(root = readProject().root): Record<string, string | undefined> {
  const chosen = process.env['SLIPWAY_ENV_FILE'] ?? '';
  const files = [
    join(root, '.env'),
    join(userFolder('XDG_CONFIG_HOME', '.config'), 'slipway', 'slipway.env'),
  ];
  const file = chosen === '' ? files.find((path) => existsSync(path)) : chosen;
  return { ...(file !== undefined && readSettings(file)), ...process.env };
}

/** Folder of the user for files that can be deleted at any time. */
export function cacheFolder(): string {
  return join(userFolder('XDG_CACHE_HOME', '.cache'), 'slipway');
}

/** An unreadable file must fail, or its settings are lost silently. */
function readSettings(file: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`Could not read the settings in ${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** A folder of the XDG base directory specification, which ignores relative paths. */
export function userFolder(variable: string, fallback: string): string {
  const folder = process.env[variable] ?? '';
  return isAbsolute(folder) ? folder : join(process.env['HOME'] ?? homedir(), fallback);
}
