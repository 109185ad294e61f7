import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/**
 * The environment of this process, with a `.env` file in `directory` beneath it: what is set for the
 * process wins. The one place that reads `process.env`.
 */
export function readEnvironment(directory: string): Record<string, string | undefined> {
  let file: Record<string, string | undefined> = {};
  try {
    file = parseEnv(readFileSync(join(directory, '.env'), 'utf8'));
  } catch (error) {
    // No .env is the usual case; one that cannot be read must be told, or its settings are lost silently.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return { ...file, ...process.env };
}
