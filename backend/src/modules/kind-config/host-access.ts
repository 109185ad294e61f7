import { posix } from 'node:path';
import { DomainError } from '../../core/errors/index.js';
import { nodesOf, type KindConfig, type KindNode } from './kind-config.js';

/** A part of a config that accesses the host. The user must accept it. */
export interface HostAccess {
  kind: 'mount' | 'patch' | 'image' | 'address';
  path: string;
  what: string;
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/;

/**
 * Lists what a config from outside can access on the host. kind's nodes are privileged containers, so a host path, a
 * patch of the container runtime or a foreign image is equivalent to root.
 * @param repository the configured repository of node images; images of others are foreign.
 */
export function findHostAccess(config: KindConfig, repository: string): HostAccess[] {
  const found: HostAccess[] = [];
  for (const [index, node] of nodesOf(config).entries()) {
    for (const [mountIndex, mount] of (node.extraMounts ?? []).entries()) {
      found.push({
        kind: 'mount',
        path: `nodes[${index}].extraMounts[${mountIndex}]`,
        what: `mounts the host path ${posix.normalize(mount.hostPath ?? '')} at ${mount.containerPath ?? ''}${mount.readOnly ? ' (read-only)' : ''}`,
      });
    }
    for (const [portIndex, { listenAddress, hostPort = 0 }] of (node.extraPortMappings ?? []).entries()) {
      const address = listenAddress ?? '';
      if (LOOPBACK.test(address)) continue;
      // kind's default is all addresses, even if kind or the engine chooses the port.
      found.push({
        kind: 'address',
        path: `nodes[${index}].extraPortMappings[${portIndex}]${hostPort > 0 ? '.hostPort' : ''}`,
        what: `opens ${hostPort > 0 ? `port ${hostPort}` : 'a port'} on ${address === '0.0.0.0' || address === '' ? 'all addresses' : address} of the host`,
      });
    }
    if (node.image !== undefined && !isKnownImage(node.image, repository)) {
      found.push({
        kind: 'image',
        path: `nodes[${index}].image`,
        what: `runs the image ${node.image} as a privileged container`,
      });
    }
    const path = `nodes[${index}].kubeadmConfigPatches`;
    if (patches(node, 'kubeadm')) {
      found.push({ kind: 'patch', path, what: 'patches the kubeadm config of the node' });
    }
  }
  if (patches(config, 'kubeadm')) {
    const what = 'patches the kubeadm config of the cluster';
    found.push({ kind: 'patch', path: 'kubeadmConfigPatches', what });
  }
  if (patches(config, 'containerd')) {
    const what = 'patches the container runtime of the nodes, for example its image registries';
    found.push({ kind: 'patch', path: 'containerdConfigPatches', what });
  }
  const { apiServerAddress = '' } = config.networking ?? {};
  if (apiServerAddress !== '' && !LOOPBACK.test(apiServerAddress)) {
    const what = `exposes the API server of the cluster on ${apiServerAddress}`;
    found.push({ kind: 'address', path: 'networking.apiServerAddress', what });
  }
  return found;
}

function patches(config: KindConfig | KindNode, program: 'kubeadm' | 'containerd'): boolean {
  const fields = config as Record<string, unknown[] | undefined>;
  return [`${program}ConfigPatches`, `${program}ConfigPatchesJSON6902`].some(
    (field) => fields[field]?.length,
  );
}

/** The host access of `wanted` that `accepted` does not have, independent of its place in the config. */
export function furtherHostAccess(wanted: HostAccess[], accepted: HostAccess[]): HostAccess[] {
  return wanted.filter(({ what }) => !accepted.some((known) => known.what === what));
}

/** @throws DomainError `confirmation_required` if there is something to confirm. */
export function refuseHostAccess(access: HostAccess[]): void {
  if (access.length === 0) return;
  throw new DomainError(
    'confirmation_required',
    `This config accesses the host: ${access.map(({ path, what }) => `${path} ${what}`).join('; ')}. Review it, then confirm with accept_host_access.`,
    access,
  );
}

function isKnownImage(image: string, repository: string): boolean {
  const short = repository.replace(/^docker\.io\//, '');
  return [repository, short, `docker.io/${short}`].some(
    (known) => image.startsWith(`${known}:`) || image.startsWith(`${known}@`),
  );
}
