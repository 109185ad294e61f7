import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { jsonValue, record, text as textReader } from '../../../core/parsing/index.js';
import { recordOf } from '../../../core/values/index.js';
import type { DiscoveryResult, EngineCandidate, EngineEndpoint } from '../host/engine-candidate.js';
import { existingSockets, userFolders, type HostView, type SocketPlace } from '../host/host-view.js';

/**
 * Possible locations of Docker in the order of the docker CLI: `DOCKER_HOST`, the current context, the default socket;
 * then the sockets of desktop products, which set a context only for their user.
 *
 * @param dockerHost the configured `DOCKER_HOST`. If set, it is the only location, as for the docker CLI.
 */
export async function discoverDocker(host: HostView, dockerHost: string): Promise<DiscoveryResult> {
  if (dockerHost !== '') return fromAddress(host, dockerHost, 'DOCKER_HOST');
  const context = await currentContext(host);
  const known = await existingSockets(wellKnownSockets(host), host);
  return { candidates: [...context.candidates, ...known.map(candidate)], refused: context.refused };
}

function fromAddress(host: HostView, address: string, source: string): DiscoveryResult {
  const endpoint = parseEndpoint(host, address);
  if (endpoint) {
    return { candidates: [{ endpoint, source, environment: { DOCKER_HOST: address } }], refused: [] };
  }
  const reason = `${source} points to ${address}, which Slipway cannot reach: kind publishes its ports on the engine's own machine.`;
  const fix = 'Use an engine on this machine, and set DOCKER_HOST to its socket.';
  return { candidates: [], refused: [{ source, reason, fix }] };
}

function parseEndpoint(host: HostView, address: string): EngineEndpoint | undefined {
  if (address.startsWith('unix://')) {
    const path = address.slice('unix://'.length);
    return path.startsWith('/') ? { type: 'socket', path } : undefined;
  }
  const match = /^(?:tcp|http):\/\/(\[[0-9a-f:]+\]|[^/:]+):(\d+)\/?$/i.exec(address);
  if (!match?.[1] || !match[2]) return undefined;
  const certificateFolder = host.environment['DOCKER_CERT_PATH'] ?? dockerConfigFolder(host);
  const wantsTls = (host.environment['DOCKER_TLS_VERIFY'] ?? '') !== '';
  return {
    type: 'tcp',
    host: match[1],
    port: Number(match[2]),
    tls: wantsTls ? { certificateFolder } : null,
  };
}

/** The context of `docker context use` or `DOCKER_CONTEXT`; "default" is the default socket. */
async function currentContext(host: HostView): Promise<DiscoveryResult> {
  const nothing: DiscoveryResult = { candidates: [], refused: [] };
  const folder = dockerConfigFolder(host);
  const config = parseObject(await host.readText(join(folder, 'config.json')));
  const name = host.environment['DOCKER_CONTEXT'] ?? config['currentContext'];
  if (typeof name !== 'string' || name === '' || name === 'default') return nothing;
  // The folder of a context is the hash of its name.
  const id = createHash('sha256').update(name).digest('hex');
  const meta = await host.readText(join(folder, 'contexts', 'meta', id, 'meta.json'));
  const address = parseContextHost(meta);
  const source = `docker context "${name}"`;
  if (!address) {
    const reason = `Could not read the current ${source}.`;
    return { candidates: [], refused: [{ source, reason, fix: 'docker context use default' }] };
  }
  return fromAddress(host, address, source);
}

/** Sockets of Docker itself and of the products that include it. */
export function wellKnownSockets(host: HostView): SocketPlace[] {
  const { runtime } = userFolders(host);
  return [
    { path: '/var/run/docker.sock', source: 'default socket' },
    ...(runtime ? [{ path: join(runtime, 'docker.sock'), source: 'rootless Docker' }] : []),
    ...vmProducts(host).flatMap(({ source, folder, socket }) =>
      socket === undefined ? [] : [{ path: join(folder, socket), source }],
    ),
  ];
}

/** Folders of products whose engine runs in a virtual machine, with the path of Docker's socket in them. */
export function vmProducts(host: HostView): { source: string; folder: string; socket?: string }[] {
  const { home, environment } = host;
  const { config, data } = userFolders(host);
  const colima = [environment['COLIMA_HOME'] ?? join(home, '.colima'), join(config, 'colima')];
  const rancher = [data, join(home, 'Library', 'Application Support')];
  return [
    { source: 'Docker Desktop', folder: join(home, '.docker', 'run'), socket: 'docker.sock' },
    { source: 'Docker Desktop for Linux', folder: join(home, '.docker', 'desktop'), socket: 'docker.sock' },
    { source: 'Docker Desktop', folder: '/mnt/wsl/docker-desktop/shared-sockets' },
    { source: 'OrbStack', folder: join(home, '.orbstack', 'run'), socket: 'docker.sock' },
    { source: 'Rancher Desktop', folder: join(home, '.rd'), socket: 'docker.sock' },
    ...rancher.map((at) => ({ source: 'Rancher Desktop', folder: join(at, 'rancher-desktop', 'lima') })),
    ...colima.map((folder) => ({ source: 'Colima', folder, socket: join('default', 'docker.sock') })),
    ...colima.map((folder) => ({ source: 'Colima', folder: join(folder, '_lima') })),
    { source: 'Lima', folder: environment['LIMA_HOME'] ?? join(home, '.lima') },
    { source: 'podman machine', folder: join(data, 'containers', 'podman', 'machine') },
    { source: 'podman machine', folder: '/mnt/wsl/podman-sockets' },
  ];
}

function candidate({ path, source }: SocketPlace): EngineCandidate {
  return {
    endpoint: { type: 'socket', path },
    source,
    // Always set: the docker CLI would use the current context, even if it does not respond.
    environment: { DOCKER_HOST: `unix://${path}` },
  };
}

export function dockerConfigFolder(host: HostView): string {
  return host.environment['DOCKER_CONFIG'] ?? join(host.home, '.docker');
}

const contextMeta = record({ Endpoints: record({ docker: record({ Host: textReader(4096) }) }) });

/** The address in the file of a docker context; undefined if it cannot be read. */
export function parseContextHost(text: string | undefined): string | undefined {
  return contextMeta(parseObject(text))?.Endpoints?.docker?.Host;
}

/** Empty for a missing or invalid file; the docker CLI reports the latter. */
function parseObject(text = ''): Record<string, unknown> {
  return recordOf(jsonValue(text));
}
