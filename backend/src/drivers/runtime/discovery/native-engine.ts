import { hostname, release } from 'node:os';
import type { EngineInfo } from '../engine/engine-responses.js';
import type { EngineCandidate } from './engine-candidate.js';

/** Products whose engine runs in a virtual machine; under WSL 2 it shares the kernel and may share the host name. */
const PRODUCTS = /docker desktop|orbstack|rancher desktop|colima|podman machine/i;

/** Where these products, Lima and podman machine put their sockets. */
const SOCKETS =
  /\/\.docker\/(run|desktop)\/|\/\.orbstack\/|\/\.rd\/|colima\/|\/\.lima\/|\/podman\/(machine\/|podman-machine)|\/podman-sockets\//;

/** A machine as its kernel names it. */
export interface Machine {
  platform: NodeJS.Platform;
  hostname: string;
  kernel: string;
}

/**
 * Whether an engine runs on this machine itself. It has to be a Linux engine behind a local socket that reports this
 * machine's kernel and host name, and none of the products that run theirs in a virtual machine.
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
