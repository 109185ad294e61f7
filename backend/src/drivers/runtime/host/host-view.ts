import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { homedir, hostname, networkInterfaces, release, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Configuration } from '../../../core/config/index.js';

/** The parts of this machine that discovery uses. An interface, so that specs can describe any machine. */
export interface HostView {
  platform: NodeJS.Platform;
  /** Numeric user id; undefined on Windows. */
  userId: number | undefined;
  home: string;
  temporaryDirectory: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Read for each use: both can change while Slipway runs. */
  system: () => { hostname: string; kernel: string; addresses: readonly string[] };
  /** Identifies a socket behind links; a new socket at the same path has another one. Undefined without an accessible socket. */
  socketId: (path: string) => Promise<string | undefined>;
  isFolder: (path: string) => Promise<boolean>;
  /** The path behind symbolic links, also of a link to a missing file. Undefined if the path does not exist. */
  target: (path: string) => Promise<string | undefined>;
  /** False if a socket refuses connections or does not exist; true also without the permission to connect. */
  listens: (path: string) => Promise<boolean>;
  /** Names in a folder; empty if it cannot be read. */
  list: (folder: string) => Promise<readonly string[]>;
  /** The text of a file; undefined if it cannot be read. */
  readText: (path: string) => Promise<string | undefined>;
}

/** A socket that an engine may have, with a name for messages. */
export interface SocketPlace {
  path: string;
  source: string;
}

export function localHost(configuration: Configuration): HostView {
  return {
    platform: configuration.platform,
    userId: process.getuid?.(),
    home: configuration.environment['HOME'] ?? homedir(),
    temporaryDirectory: configuration.environment['TMPDIR'] ?? tmpdir(),
    environment: configuration.environment,
    system: () => ({
      hostname: hostname(),
      kernel: release(),
      addresses: Object.values(networkInterfaces()).flatMap((all) =>
        (all ?? []).map(({ address }) => address),
      ),
    }),
    socketId: async (path) => {
      const found = await stat(path).catch(() => undefined);
      // The time too, since file systems use the inode number of a deleted file again.
      return found?.isSocket() === true ? `${found.dev}:${found.ino}:${found.birthtimeMs}` : undefined;
    },
    isFolder: async (path) => (await stat(path).catch(() => undefined))?.isDirectory() === true,
    target,
    listens,
    list: async (folder) => await readdir(folder).catch(() => []),
    readText: async (path) => await readFile(path, 'utf8').catch(() => undefined),
  };
}

export async function existingSockets<TPlace extends SocketPlace>(
  places: readonly TPlace[],
  host: HostView,
): Promise<TPlace[]> {
  const ids = await Promise.all(places.map(({ path }) => host.socketId(path)));
  return places.filter((_, index) => ids[index] !== undefined);
}

/** Folders of the user by the XDG Base Directory Specification; no `runtime` on Windows. */
export function userFolders({ environment, home, userId }: HostView): {
  config: string;
  data: string;
  runtime: string | undefined;
} {
  return {
    config: environment['XDG_CONFIG_HOME'] ?? join(home, '.config'),
    data: environment['XDG_DATA_HOME'] ?? join(home, '.local', 'share'),
    runtime: environment['XDG_RUNTIME_DIR'] ?? (userId === undefined ? undefined : `/run/user/${userId}`),
  };
}

async function target(path: string, links = 8): Promise<string | undefined> {
  const whole = await realpath(path).catch(() => undefined);
  const link = whole === undefined && links > 0 ? await readlink(path).catch(() => undefined) : undefined;
  if (link === undefined) return whole;
  const next = resolve(dirname(path), link);
  return (await target(next, links - 1)) ?? next;
}

function listens(path: string): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(path, () => {
      socket.destroy();
      settle(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      settle(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
  });
}
