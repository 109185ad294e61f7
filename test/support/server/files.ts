import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The content of each file in a folder by path, as text with one character per byte. */
export function filesOf(folder: string): Map<string, string> {
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => [path, readFileSync(path, 'latin1')]),
  );
}
