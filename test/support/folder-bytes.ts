import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Total size of the files in a folder and its subfolders. */
export function bytesIn(folder: string, isCounted: (name: string) => boolean = () => true): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isCounted(entry.name))
    .reduce((sum, { parentPath, name }) => {
      // A file may be removed meanwhile.
      const stats = statSync(join(parentPath, name), { throwIfNoEntry: false });
      return sum + (stats?.size ?? 0);
    }, 0);
}
