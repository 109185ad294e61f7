import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { jsonValue } from '../parsing/index.js';
import { isRecord } from '../values/index.js';
import { writeFileAtomically } from './atomic-file.js';

/** Where a running application is, for programs of the same user. */
export interface ServerFile {
  url: string;
  /** The URL for browsers. */
  page: string;
  /** The owner token. */
  token: string;
  pid: number;
  version: string;
  /** All that the process runs or is starting. */
  applications?: readonly ServedApplication[];
  /** File with the certificate that the server presents; clients trust exactly this one. */
  certificate?: string;
}

const FILES = { dashboard: 'dashboard.json', 'log-board': 'log-board.json' } as const;
export type ServedApplication = keyof typeof FILES;

/** The file of an application in the data folder. It contains a secret, and exists while the application runs. */
function serverFilePath(root: string, application: ServedApplication): string {
  return join(root, FILES[application]);
}

export async function writeServerFile(
  root: string,
  application: ServedApplication,
  server: ServerFile,
): Promise<void> {
  await writeFileAtomically(serverFilePath(root, application), `${JSON.stringify(server, null, 2)}\n`, 0o600);
}

/**
 * @returns undefined if the application does not run, or the file is not one of Slipway's.
 * @throws Error if another user may have written the file, or can read it
 */
export function readServerFile(root: string, application: ServedApplication): ServerFile | undefined {
  const path = serverFilePath(root, application);
  let file: number;
  try {
    // In a folder of another user, it may be a pipe: opening one waits for a writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    requirePrivate(root, statSync(root));
    requirePrivate(path, fstatSync(file));
    const server = jsonValue(readFileSync(file, 'utf8'));
    return isServerFile(server) ? server : undefined;
  } finally {
    closeSync(file);
  }
}

function requirePrivate(path: string, { uid, mode }: Stats): void {
  const problem =
    uid !== process.geteuid?.()
      ? `It belongs to another user (${uid}). Run the command as that user, or check APP_DATA_DIR.`
      : (mode & 0o077) !== 0
        ? 'Other users have access to it. Restart Slipway, which makes it private, or check APP_DATA_DIR.'
        : undefined;
  if (problem) throw new Error(`Could not use ${path}. ${problem}`);
}

/** Never fails: the file of a stopped server is useless, since its token ends with it. */
export function removeServerFile(root: string, application: ServedApplication): void {
  try {
    rmSync(serverFilePath(root, application), { force: true });
  } catch {
    // The folder is read-only, for example.
  }
}

function isServerFile(value: unknown): value is ServerFile {
  if (!isRecord(value)) return false;
  const { url, page, token, pid, version, applications, certificate } = value;
  return (
    [url, page, token, version].every((text) => typeof text === 'string') &&
    Number.isSafeInteger(pid) &&
    (applications === undefined || Array.isArray(applications)) &&
    ['string', 'undefined'].includes(typeof certificate)
  );
}
