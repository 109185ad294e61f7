import { join } from 'node:path';
import { isIn } from '../../../core/security/index.js';
import type { EnginePlacement } from '../host/engine-candidate.js';
import type { HostView } from '../host/host-view.js';
import type { EngineInfo } from './engine-responses.js';

/** Products whose engine runs in a virtual machine. Under WSL 2 it has the same kernel and may have the same host name. */
const PRODUCTS = /docker desktop|orbstack|rancher desktop|colima|podman machine/i;

/** Sockets and host names of these products, Lima and podman machine. */
const PLACES =
  /\/\.docker\/(run|desktop)\/|\/\.orbstack\/|\/\.rd\/|colima\/|\/\.lima\/|[/@]lima-|\/podman\/(machine\/|podman-machine)|\/podman-sockets\/|gvproxy|com\.docker\.|\/(docker|rancher)-desktop\//;

const isLoopback = isIn(['127.0.0.0/8', '0.0.0.0/8', '::1', '::']);

export function isVmPlace(...texts: readonly string[]): boolean {
  return texts.some((text) => PRODUCTS.test(text) || PLACES.test(text));
}

/**
 * The placement of an engine at a URL, which is not asked. A port on loopback can lead anywhere, such as into a virtual
 * machine.
 */
export async function placementOfUrl(address: string, host: HostView): Promise<EnginePlacement> {
  const [, protocol = '', rest = ''] = /^(ssh|tcp|https?):\/\/(.+)$/.exec(address) ?? [];
  // `http` reads other notations of IPv4, such as 127.1 and 0x7f.1.
  const name = URL.canParse(`http://${rest}`) ? new URL(`http://${rest}`).hostname : '';
  if (protocol === '' || name === '') return 'unknown';
  const names = [name.replace(/^\[|\]$/g, ''), ...(protocol === 'ssh' ? await sshHostNames(name, host) : [])];
  const areHere = await Promise.all(names.map((one) => isThisMachine(one, host)));
  return areHere.includes(true) ? 'unknown' : 'remote';
}

/** Every `HostName` that the user's SSH config may give an alias, such as 127.0.0.1 for a virtual machine of Vagrant. */
async function sshHostNames(alias: string, host: HostView): Promise<string[]> {
  const config = (await host.readText(join(host.home, '.ssh', 'config'))) ?? '';
  let isOfAlias = true;
  return config.split('\n').flatMap((line) => {
    const [key = '', ...values] = line
      .toLowerCase()
      .trim()
      .split(/[\s="]+/);
    if (key === 'host') isOfAlias = values.some((value) => value === alias || /[*?]/.test(value));
    if (key === 'match') isOfAlias = true;
    return isOfAlias && key === 'hostname' ? values : [];
  });
}

/** The placement of an engine with a local socket, by its response. */
export function placementOfInfo(
  { OperatingSystem = '', KernelVersion, Name = '' }: EngineInfo,
  { platform, system }: Pick<HostView, 'platform' | 'system'>,
): EnginePlacement {
  const { hostname, kernel } = system();
  if (platform !== 'linux' || isVmPlace(OperatingSystem, Name)) return 'vm';
  if (KernelVersion === undefined || KernelVersion === '') return 'unknown';
  if (KernelVersion !== kernel) return 'vm';
  return Name === hostname ? 'native' : 'unknown';
}

async function isThisMachine(name: string, host: HostView): Promise<boolean> {
  const { hostname, addresses } = host.system();
  if (['localhost', hostname.toLowerCase(), ...addresses].includes(name)) return true;
  if (name.endsWith('.localhost')) return true;
  if (isLoopback(name)) return true;
  const lines = ((await host.readText('/etc/hosts')) ?? '').toLowerCase().split('\n');
  return lines.some((line) => {
    const [address = '', ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/);
    return (isLoopback(address) || addresses.includes(address)) && names.includes(name);
  });
}
