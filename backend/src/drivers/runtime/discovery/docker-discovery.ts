import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { flag, jsonValue, record, text as textReader } from '../../../core/parsing/index.js';
import { recordOf } from '../../../core/values/index.js';
import {
  CERTIFICATE_FILES,
  describeEndpoint,
  type DiscoveryResult,
  type EngineCandidate,
  type EngineEndpoint,
  type EngineTls,
} from '../host/engine-candidate.js';
import { existingSockets, userFolders, type HostView, type SocketPlace } from '../host/host-view.js';

const DEFAULT_SOCKET = '/var/run/docker.sock';
const PLAIN_PORT = 2375;
const TLS_PORT = 2376;

/**
 * Possible locations of Docker in the order of the docker CLI: `DOCKER_HOST`, the current context, the default socket;
 * then the sockets of desktop products, which set a context only for their user. What the user has chosen is the only
 * location, because another engine has other clusters.
 *
 * @param dockerHost the configured `DOCKER_HOST`.
 */
export async function discoverDocker(host: HostView, dockerHost: string): Promise<DiscoveryResult> {
  if (dockerHost !== '') return await fromVariable(host, dockerHost);
  const context = await currentContext(host);
  if (context) return context;
  const known = await existingSockets(wellKnownSockets(host), host);
  const isFolder = await host.isFolder(DEFAULT_SOCKET);
  const places = isFolder ? [{ path: DEFAULT_SOCKET, source: 'default socket' }, ...known] : known;
  return { candidates: places.map(candidate), refused: [] };
}

/** An address that the user has chosen. */
interface Choice {
  address: string;
  source: string;
  tls: EngineTls | null;
  /** How to choose another engine. */
  change: string;
}

async function fromVariable(host: HostView, address: string): Promise<DiscoveryResult> {
  const { environment } = host;
  const source = 'DOCKER_HOST';
  const change = 'Use an engine on this machine, and set DOCKER_HOST to its socket.';
  const verify = (environment['DOCKER_TLS_VERIFY'] ?? '') !== '';
  const isTcp = address.startsWith('tcp://') || !address.includes('://');
  if (!isTcp || (!verify && (environment['DOCKER_TLS'] ?? '') === '')) {
    return fromChoice({ address, source, tls: null, change });
  }
  const variable = environment['DOCKER_CERT_PATH'] ? 'DOCKER_CERT_PATH' : 'DOCKER_CONFIG';
  const certificateFolder = environment['DOCKER_CERT_PATH'] || dockerConfigFolder(host);
  const files = await certificatesIn(host, certificateFolder);
  // Without both cert.pem and key.pem, docker sends no certificate.
  const needed = CERTIFICATE_FILES.slice(0, files.some((file) => file !== 'ca.pem') ? undefined : 1);
  const missing = needed.find((file) => !files.includes(file));
  if (missing !== undefined) {
    const reason = `${missing} does not exist in ${variable} (${certificateFolder}), or cannot be read. TLS requires it.`;
    const fix = `Copy ${CERTIFICATE_FILES.join(', ')} of the engine to ${certificateFolder}, or set DOCKER_CERT_PATH to their folder.`;
    return { candidates: [], refused: [{ source, reason, fix }] };
  }
  return fromChoice({ address, source, tls: { certificateFolder, files, verify }, change });
}

function fromChoice({ address, source, tls, change }: Choice): DiscoveryResult {
  const refuse = (problem: string, fix = change): DiscoveryResult => ({
    candidates: [],
    refused: [{ source, reason: `${source} points to ${address}, ${problem}`, fix }],
  });
  const endpoint = parseEndpoint(address, tls);
  if (/^(unix:(?!\/\/$)|\/)/.test(address) && (!endpoint || address.endsWith('/'))) {
    const path = address.replace(/^unix:/, '').replace(/^\/{0,9}|\/{0,9}$/g, '');
    return refuse('which is not the address of a socket.', `Write it as unix:///${path}`);
  }
  if (!endpoint) {
    return refuse("which Slipway cannot reach: kind publishes its ports on the engine's own machine.");
  }
  // With its port: docker would use 2375 also with TLS.
  const full = endpoint.type === 'tcp' ? `tcp://${describeEndpoint(endpoint)}` : address;
  const environment: Record<string, string> = { DOCKER_HOST: full };
  if (tls && endpoint.type === 'tcp') {
    environment[tls.verify ? 'DOCKER_TLS_VERIFY' : 'DOCKER_TLS'] = '1';
    environment['DOCKER_CERT_PATH'] = tls.certificateFolder;
  }
  const fix = `Start the engine at ${address}. ${change}`;
  return {
    candidates: [{ endpoint, source, environment, ...(endpoint.type === 'tcp' && { fix }) }],
    refused: [],
  };
}

/** As the docker CLI reads an address. */
function parseEndpoint(address: string, tls: EngineTls | null): EngineEndpoint | undefined {
  if (address.startsWith('unix://')) {
    const path = address.slice('unix://'.length) || DEFAULT_SOCKET;
    return path.startsWith('/') ? { type: 'socket', path } : undefined;
  }
  const match = /^(?:tcp:\/\/)?(\[[0-9a-f:]+\]|[\w.-]*)(?::(\d{0,5}))?\/?$/i.exec(address);
  if (!match) return undefined;
  const port = Number(match[2] || (tls ? TLS_PORT : PLAIN_PORT));
  if (port > 65_535) return undefined;
  return { type: 'tcp', host: match[1] || 'localhost', port, tls };
}

async function certificatesIn(host: HostView, folder: string): Promise<string[]> {
  const texts = await Promise.all(CERTIFICATE_FILES.map((file) => host.readText(join(folder, file))));
  return CERTIFICATE_FILES.filter((_, index) => texts[index] !== undefined);
}

/** The context of `docker context use` or `DOCKER_CONTEXT`; undefined for "default" or no address: the default socket. */
async function currentContext(host: HostView): Promise<DiscoveryResult | undefined> {
  const folder = dockerConfigFolder(host);
  const config = parseObject(await host.readText(join(folder, 'config.json')));
  const variable = host.environment['DOCKER_CONTEXT'];
  const name = variable || config['currentContext'];
  if (typeof name !== 'string' || name === '' || name === 'default') return undefined;
  // The folder of a context is the hash of its name.
  const id = createHash('sha256').update(name).digest('hex');
  const meta = contextMeta(
    parseObject(await host.readText(join(folder, 'contexts', 'meta', id, 'meta.json'))),
  );
  const { docker } = meta?.Endpoints ?? {};
  if (docker && !docker.Host) return undefined;
  const { Host: address, SkipTLSVerify: skip = false } = docker ?? {};
  const source = `docker context "${name}"`;
  const change = variable ? 'unset DOCKER_CONTEXT' : 'docker context use default';
  if (!address) {
    const reason = `Could not read the current ${source}.`;
    return { candidates: [], refused: [{ source, reason, fix: change }] };
  }
  const certificateFolder = join(folder, 'contexts', 'tls', id, 'docker');
  const files = await certificatesIn(host, certificateFolder);
  const tls = files.length > 0 || skip ? { certificateFolder, files, verify: !skip } : null;
  return fromChoice({ address, source, tls, change: `To use the default engine: ${change}` });
}

/** Sockets of Docker itself and of the products that include it. */
export function wellKnownSockets(host: HostView): SocketPlace[] {
  const { runtime } = userFolders(host);
  return [
    { path: DEFAULT_SOCKET, source: 'default socket' },
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
  return host.environment['DOCKER_CONFIG'] || join(host.home, '.docker');
}

const contextMeta = record({
  Endpoints: record({ docker: record({ Host: textReader(4096), SkipTLSVerify: flag }) }),
});

/** The address in the file of a docker context; undefined if it cannot be read. */
export function parseContextHost(text: string | undefined): string | undefined {
  return contextMeta(parseObject(text))?.Endpoints?.docker?.Host;
}

/** Empty for a missing or invalid file; the docker CLI reports the latter. */
function parseObject(text = ''): Record<string, unknown> {
  return recordOf(jsonValue(text));
}
