import { hostname, release } from 'node:os';
import type { EngineInfo } from './engine-responses.js';
import type { EngineCandidate } from '../host/engine-candidate.js';

/** Products whose engine runs in a virtual machine. Under WSL 2 it has the same kernel and may have the same host name. */
const PRODUCTS = /docker desktop|orbstack|rancher desktop|colima|podman machine/i;

/** Sockets of these products, Lima and podman machine. */
const SOCKETS =
  /\/\.docker\/(run|desktop)\/|\/\.orbstack\/|\/\.rd\/|colima\/|\/\.lima\/|\/podman\/(machine\/|podman-machine)|\/podman-sockets\//;

export interface Machine {
  platform: NodeJS.Platform;
  hostname: string;
  kernel: string;
}

/**
 * Whether an engine runs directly on this machine: a Linux engine with a local socket that reports this machine's kernel
 * and host name, and is not a product with a virtual machine.
 */
export function isNative(
  { endpoint, source }: EngineCandidate,
  { OperatingSystem = '', KernelVersion, Name }: EngineInfo,
  machine: Machine = { platform: process.platform, hostname: hostname(), kernel: release() },
): boolean {
  return (
    machine.platform === 'linux' &&
    endpoint.type === 'socket' &&
    !SOCKETS.test(endpoint.path) &&
    !PRODUCTS.test(`${source}\n${OperatingSystem}\n${Name ?? ''}`) &&
    KernelVersion === machine.kernel &&
    Name === machine.hostname
  );
}
