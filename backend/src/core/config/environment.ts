import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** This process's environment over a `.env` file in `directory`. No other code reads `process.env`. */
export function readEnvironment(directory: string): Record<string, string | undefined> {
  let file: Record<string, string | undefined> = {};
  try {
    file = parseEnv(readFileSync(join(directory, '.env'), 'utf8'));
  } catch (error) {
    // Usually there is no .env file. An unreadable one must fail, or its settings are lost silently.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return { ...file, ...process.env };
}
