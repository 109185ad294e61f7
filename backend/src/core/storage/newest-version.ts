import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readProject } from '../config/project.js';
import { jsonValue } from '../parsing/index.js';
import { recordOf } from '../values/index.js';
import { writeFileAtomically } from './atomic-file.js';

/** In the data folder: the newest version of Slipway that used it, as JSON. */
const VERSION_FILE = 'version.json';

/** Records this version in a data folder, unless a newer one is recorded. */
export async function recordVersion(folder: string): Promise<void> {
  const version = newestVersionOf(folder);
  if (version === recordedVersion(folder)) return;
  await writeFileAtomically(join(folder, VERSION_FILE), `${JSON.stringify({ version })}\n`);
}

/** The newest version that used a data folder, including this one. */
export function newestVersionOf(folder: string): string {
  const { version } = readProject();
  const recorded = recordedVersion(folder);
  return recorded !== undefined && isNewer(recorded, version) ? recorded : version;
}

/**
 * The error for a file in the data folder whose format this version does not know.
 * @param found format of the file, such as `schema 13`.
 * @param supported newest format that this version reads.
 */
export function newerFormat(path: string, found: string, supported: string): Error {
  const { version } = readProject();
  const newest = newestVersionOf(dirname(path));
  const writer = newest === version ? undefined : `Slipway ${newest}`;
  return new Error(
    `${writer ?? 'A newer version of Slipway'} wrote ${path} (${found}). Slipway ${version} supports ${supported} and does not change the file. Start ${writer ?? 'that version'}, restore a backup of Slipway ${version}, or choose another APP_DATA_DIR.`,
  );
}

/** Whether a version, such as `0.10.0`, is newer than another one. */
export function isNewer(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) > 0;
}

/** Undefined if none is recorded, as before version 0.3. */
function recordedVersion(folder: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, VERSION_FILE), 'utf8');
  } catch {
    // The version only helps the user: without it, the error names no version.
    return undefined;
  }
  const { version } = recordOf(jsonValue(text));
  return typeof version === 'string' && /^\d+\.\d+\.\d+$/.test(version) ? version : undefined;
}
