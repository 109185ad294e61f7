import { createHash } from 'node:crypto';
import type { HostView } from '../../../backend/src/drivers/runtime/host/host-view.js';

/** The parts of a user's machine that discovery reads. By default, Linux with the user 1000. */
export interface Layout extends Partial<Pick<HostView, 'platform' | 'userId' | 'environment'>> {
  home?: string;
  sockets?: string[];
  /** Sockets that refuse connections; they are among `sockets` too. */
  refusing?: string[];
  /** Symbolic links, with the path to which each leads. */
  links?: Record<string, string>;
  files?: Record<string, string>;
  folders?: string[];
  /** Addresses of the machine itself. */
  addresses?: string[];
}

export const HOSTNAME = 'laptop';
export const KERNEL = '6.8.0-60-generic';

/** A view of a machine, which reads the layout for each use. */
export function fakeHost(layout: Layout): HostView {
  const platform = layout.platform ?? 'linux';
  const behind = (path: string): string => layout.links?.[path] ?? path;
  const isSocket = (path: string): boolean => layout.sockets?.includes(behind(path)) ?? false;
  const exists = (path: string): boolean => path in (layout.links ?? {}) || isSocket(path);
  return {
    platform,
    userId: 'userId' in layout ? layout.userId : 1000,
    home: layout.home ?? (platform === 'darwin' ? '/Users/me' : '/home/me'),
    temporaryDirectory: platform === 'darwin' ? '/var/folders/x/T' : '/tmp',
    environment: layout.environment ?? {},
    system: () => ({ hostname: HOSTNAME, kernel: KERNEL, addresses: layout.addresses ?? [] }),
    socketId: (path) => Promise.resolve(isSocket(path) ? `socket ${behind(path)}` : undefined),
    isFolder: (path) => Promise.resolve(layout.folders?.includes(path) ?? false),
    target: (path) => Promise.resolve(exists(path) ? behind(path) : undefined),
    listens: (path) => Promise.resolve(isSocket(path) && !(layout.refusing?.includes(behind(path)) ?? false)),
    list: (folder) => Promise.resolve(namesIn(folder, layout)),
    readText: (path) => Promise.resolve(layout.files?.[path]),
  };
}

function namesIn(folder: string, { sockets = [], links = {}, files = {} }: Layout): string[] {
  const paths = [...sockets, ...Object.keys(links), ...Object.keys(files)];
  const below = paths.filter((path) => path.startsWith(`${folder}/`));
  return [...new Set(below.map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''))];
}

/** The files of a docker context as `docker context create` leaves them. */
export function dockerContext(
  folder: string,
  name: string,
  host: string,
  skip = false,
): Record<string, string> {
  const id = createHash('sha256').update(name).digest('hex');
  return {
    [`${folder}/config.json`]: JSON.stringify({ auths: {}, currentContext: name }),
    [`${folder}/contexts/meta/${id}/meta.json`]: JSON.stringify({
      Name: name,
      Metadata: {},
      Endpoints: { docker: { Host: host, SkipTLSVerify: skip } },
    }),
  };
}
