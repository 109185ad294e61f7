import { readdir, readFile, readlink } from 'node:fs/promises';

export interface PortListener {
  pid: number;
  name: string;
}

/** Socket states in `/proc/net`: listening for TCP, bound for UDP (proc_pid_net(5)). */
const LISTENING = { TCP: '0A', UDP: '07' } as const;

/** Finds the process that listens on a host port. Only on Linux, and only for processes of the current user. */
export async function findListener(port: number, protocol: string): Promise<PortListener | undefined> {
  if (protocol !== 'TCP' && protocol !== 'UDP') return undefined;
  const tables = await Promise.all(
    ['', '6'].map((version) =>
      readFile(`/proc/net/${protocol.toLowerCase()}${version}`, 'utf8').catch(() => ''),
    ),
  );
  const sockets = new Set(
    tables
      .flatMap((table) => socketsOn(table, port, LISTENING[protocol]))
      .map((inode) => `socket:[${inode}]`),
  );
  if (sockets.size === 0) return undefined;
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const folder = `/proc/${pid}/fd`;
    const descriptors = await readdir(folder).catch(() => []);
    const targets = await Promise.all(
      descriptors.map((descriptor) => readlink(`${folder}/${descriptor}`).catch(() => '')),
    );
    if (!targets.some((target) => sockets.has(target))) continue;
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    return { pid: Number(pid), name: name.trim() };
  }
  return undefined;
}

/** Inodes of the sockets with a local port and state, from a table of `/proc/net`. */
export function socketsOn(table: string, port: number, state: string): string[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , lineState, , , , , , inode] = line.trim().split(/\s+/);
    const [, hexPort = ''] = local.split(':');
    return lineState === state && Number.parseInt(hexPort, 16) === port && inode ? [inode] : [];
  });
}
