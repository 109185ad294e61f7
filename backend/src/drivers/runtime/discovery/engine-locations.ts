import { join } from 'node:path';
import { jsonValue } from '../../../core/parsing/index.js';
import { recordOf } from '../../../core/values/index.js';
import { userFolders, type HostView } from '../host/host-view.js';
import { dockerConfigFolder, parseContextHost, vmProducts, wellKnownSockets } from './docker-discovery.js';
import { podmanPlaces } from './podman-discovery.js';

/** Where an engine may be. */
export interface EngineLocation {
  /** For messages: `docker context "colima"`. */
  source: string;
  /** The path of a socket or a URL; empty if it could not be read. */
  address: string;
  /** Whether a virtual machine owns it, by its place. */
  isOfVm?: boolean;
  /** Whether a setting, a context or a connection names it, so that it counts while it does not exist. */
  isNamed?: boolean;
}

/** The files of a podman connection; the TOML one is of versions before 4.8. */
const TOML_CONNECTION = /^[ \t]*uri[ \t]*=[ \t]*["']([^"'\n]+)["']/gm;

/**
 * Every place of this machine where an engine may be, whether or not Slipway would use that engine: settings, docker
 * contexts, podman connections and machines, and sockets.
 */
export async function engineLocations(
  host: HostView,
  configured: { dockerHost: string; podmanSocket: string },
): Promise<EngineLocation[]> {
  const { CONTAINER_HOST = '' } = host.environment;
  const settings = [
    { source: 'DOCKER_HOST', address: configured.dockerHost },
    { source: 'CONTAINER_HOST', address: CONTAINER_HOST },
    { source: 'APP_PODMAN_SOCKET', address: configured.podmanSocket },
  ].filter(({ address }) => address !== '');
  const named = [settings, ...(await Promise.all([contexts(host), connections(host)]))];
  const found = await Promise.all([machines(host), vmSockets(host)]);
  const usual = [
    ...wellKnownSockets(host),
    ...podmanPlaces(host),
    ...nativeSockets(host).map((path) => ({ path, source: 'default socket' })),
  ].map(({ path, source }) => ({ source, address: path }));
  return [...named.flat().map((location) => ({ ...location, isNamed: true })), ...found.flat(), ...usual].map(
    (location) => ({ ...location, address: location.address.replace(/^unix:(\/\/)?(?=\/)/, '') }),
  );
}

/** Where Docker and Podman listen by default if they run directly on this machine. */
export function nativeSockets(host: HostView): string[] {
  return runtimeFolders(host).flatMap((folder) => [
    join(folder, 'docker.sock'),
    join(folder, 'podman', 'podman.sock'),
  ]);
}

function runtimeFolders({ environment, userId }: HostView): string[] {
  const own = [environment['XDG_RUNTIME_DIR'], userId === undefined ? undefined : `/run/user/${userId}`];
  return ['/var/run', '/run', ...own.filter((folder) => folder !== undefined)];
}

async function contexts(host: HostView): Promise<EngineLocation[]> {
  const folder = join(dockerConfigFolder(host), 'contexts', 'meta');
  const ids = await host.list(folder);
  return await Promise.all(
    ids.map(async (id) => {
      const meta = await host.readText(join(folder, id, 'meta.json'));
      const { Name: name } = recordOf(jsonValue(meta ?? ''));
      const source = `docker context "${typeof name === 'string' ? name : id}"`;
      return { source, address: parseContextHost(meta) ?? '' };
    }),
  );
}

async function connections(host: HostView): Promise<EngineLocation[]> {
  const folder = join(userFolders(host).config, 'containers');
  const { PODMAN_CONNECTIONS_CONF: chosen } = host.environment;
  const files = [join(folder, 'podman-connections.json'), ...(chosen === undefined ? [] : [chosen])];
  const texts = await Promise.all(files.map((file) => host.readText(file)));
  const saved = texts.flatMap((text) => {
    const all = recordOf(recordOf(recordOf(jsonValue(text ?? ''))['Connection'])['Connections']);
    return Object.entries(all).map(([name, connection]) => {
      const { URI, IsMachine } = recordOf(connection);
      const address = typeof URI === 'string' ? URI : '';
      return { source: `podman connection "${name}"`, address, isOfVm: IsMachine === true };
    });
  });
  const toml = await Promise.all(
    [folder, '/etc/containers'].map((place) => host.readText(join(place, 'containers.conf'))),
  );
  const older = toml.flatMap((text = '') =>
    [...text.matchAll(TOML_CONNECTION)].map(([, address = '']) => ({ source: 'podman connection', address })),
  );
  return [...saved, ...older];
}

async function machines(host: HostView): Promise<EngineLocation[]> {
  const folder = join(userFolders(host).config, 'containers', 'podman', 'machine');
  const files = await filesBelow(host, folder, '.json', 1);
  return files.map((address) => ({ source: 'podman machine', address, isOfVm: true }));
}

/** Sockets in the folders of products whose engine runs in a virtual machine, whatever their names. */
async function vmSockets(host: HostView): Promise<EngineLocation[]> {
  const sockets = await Promise.all(
    vmProducts(host).map(async ({ source, folder }) => {
      const paths = await filesBelow(host, folder, '.sock', 2);
      return paths.map((address) => ({ source, address, isOfVm: true }));
    }),
  );
  // podman machine and its gvproxy share these folders with a native Podman.
  const shared = [host.temporaryDirectory, ...runtimeFolders(host)].map((folder) => join(folder, 'podman'));
  const mixed = await Promise.all(shared.map((folder) => filesBelow(host, folder, '.sock', 0)));
  const ofMachine = mixed.flat().filter((path) => /machine|gvproxy/.test(path));
  return [
    ...sockets.flat(),
    ...ofMachine.map((address) => ({ source: 'podman machine', address, isOfVm: true })),
  ];
}

async function filesBelow(host: HostView, folder: string, end: string, depth: number): Promise<string[]> {
  const names = await host.list(folder);
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      if (name.endsWith(end)) return [path];
      return depth > 0 ? await filesBelow(host, path, end, depth - 1) : [];
    }),
  );
  return found.flat();
}
