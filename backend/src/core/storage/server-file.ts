import {
  closeSync,
  constants,
  existsSync,
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
import { isRunning } from './is-running.js';

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
/** Docker and Podman create these files. */
const IN_CONTAINER = ['/.dockerenv', '/run/.containerenv'];
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
 * @returns undefined if the application does not run (a crash leaves its file), or the file is not one of Slipway's.
 * @param isAlone whether other users have no processes here. Volumes of containers are often on file systems without modes
 * @throws Error if another user may have written the file, or can read it
 */
export function readServerFile(
  root: string,
  application: ServedApplication,
  isAlone = IN_CONTAINER.some((path) => existsSync(path)),
): ServerFile | undefined {
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
    const stats = fstatSync(file);
    const server = stats.isFile() ? jsonValue(readFileSync(file, 'utf8')) : undefined;
    if (!isServerFile(server) || !isRunning(server.pid)) return undefined;
    requirePrivate(root, statSync(root), isAlone ? 0 : 0o022);
    requirePrivate(path, stats, isAlone ? 0 : 0o066);
    return server;
  } finally {
    closeSync(file);
  }
}

/** @param refused bits of the mode */
function requirePrivate(path: string, { uid, mode }: Stats, refused: number): void {
  const user = process.geteuid?.();
  const problem =
    uid !== user && user !== 0
      ? `It belongs to another user (${uid}). Run the command as that user, or check APP_DATA_DIR.`
      : (mode & refused) !== 0
        ? 'Other users have access to it. Restart Slipway, which makes it private. If that does not help, its file system keeps no permissions: set APP_DATA_DIR to a folder on one that does.'
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
