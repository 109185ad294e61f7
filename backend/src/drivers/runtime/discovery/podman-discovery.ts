import { join } from 'node:path';
import type { DiscoveryResult, EngineCandidate } from '../host/engine-candidate.js';
import { existingSockets, userFolders, type HostView, type SocketPlace } from '../host/host-view.js';

interface Place extends SocketPlace {
  /** Whether the podman CLI uses this engine by default. */
  isDefault: boolean;
}

/**
 * Possible locations of Podman's Docker-compatible socket: the user's own first, as for the podman CLI, then root's, then
 * those of a podman machine.
 *
 * @param configured `APP_PODMAN_SOCKET`. If set, it is the only location.
 */
export async function discoverPodman(host: HostView, configured: string): Promise<DiscoveryResult> {
  const all = podmanPlaces(host);
  if (configured !== '') {
    const known = all.find(({ path }) => path === configured);
    const chosen = known ?? place(configured, 'APP_PODMAN_SOCKET', false);
    return { candidates: [candidate(chosen)], refused: [] };
  }
  return { candidates: (await existingSockets(all, host)).map(candidate), refused: [] };
}

export function podmanSocketFix(host: Pick<HostView, 'platform' | 'userId'>): string {
  if (host.platform !== 'linux') return 'podman machine start';
  return host.userId === 0
    ? 'systemctl enable --now podman.socket'
    : 'systemctl --user enable --now podman.socket';
}

export function podmanPlaces(host: HostView): Place[] {
  const { environment, temporaryDirectory, platform } = host;
  const isRoot = host.userId === 0;
  const { data, runtime } = userFolders(host);
  const runtimeFolder = isRoot ? environment['XDG_RUNTIME_DIR'] : runtime;
  const machines = join(data, 'containers', 'podman', 'machine');
  const isMac = platform === 'darwin';
  const linux: Place[] = [
    ...(runtimeFolder
      ? [place(join(runtimeFolder, 'podman', 'podman.sock'), 'rootless Podman', !isRoot)]
      : []),
    place('/run/podman/podman.sock', "root's Podman", isRoot),
    place('/var/run/podman/podman.sock', "root's Podman", isRoot),
    // WSL distributions share the sockets of the machine in this folder.
    place('/mnt/wsl/podman-sockets/podman-machine-default/podman-user.sock', 'podman machine (WSL)', false),
    place(
      '/mnt/wsl/podman-sockets/podman-machine-default/podman-root.sock',
      'podman machine (WSL, root)',
      false,
    ),
  ];
  const machine = [
    join(temporaryDirectory, 'podman', 'podman-machine-default-api.sock'),
    join(machines, 'podman.sock'),
    join(machines, 'podman-machine-default', 'podman.sock'),
    join(machines, 'qemu', 'podman.sock'),
  ].map((path) => place(path, 'podman machine', isMac));
  return isMac ? machine : [...linux, ...machine];
}

function place(path: string, source: string, isDefault: boolean): Place {
  return { path, source, isDefault };
}

function candidate({ path, source, isDefault }: Place): EngineCandidate {
  return {
    endpoint: { type: 'socket', path },
    source,
    // By default, the podman CLI uses its own user's storage without a server.
    environment: isDefault ? {} : { CONTAINER_HOST: `unix://${path}` },
  };
}
