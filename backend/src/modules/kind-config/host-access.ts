import { posix } from 'node:path';
import { DomainError } from '../../core/errors/index.js';
import { nodesOf, type KindConfig } from './kind-config.js';

/** Something in a config that reaches beyond the cluster's own containers, told so that a person can decide. */
export interface HostAccess {
  kind: 'mount' | 'patch' | 'image' | 'address';
  path: string;
  what: string;
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/;

/**
 * Lists what a config that came from elsewhere may do to this machine: kind's nodes are privileged
 * containers, so a host path, a patch of the container runtime or a foreign image is as good as root.
 * @param repository the configured source of node images; any other is foreign.
 */
export function findHostAccess(config: KindConfig, repository: string): HostAccess[] {
  const found: HostAccess[] = [];
  for (const [index, node] of nodesOf(config).entries()) {
    for (const [mountIndex, mount] of (node.extraMounts ?? []).entries()) {
      found.push({
        kind: 'mount',
        path: `nodes[${index}].extraMounts[${mountIndex}]`,
        what: `mounts ${posix.normalize(mount.hostPath ?? '')} of this machine${mount.readOnly ? ', read only,' : ''} at ${mount.containerPath ?? ''}`,
      });
    }
    for (const [portIndex, { listenAddress, hostPort = 0 }] of (node.extraPortMappings ?? []).entries()) {
      const address = listenAddress ?? '';
      if (LOOPBACK.test(address)) continue;
      // kind's own default is every address, also where it or the engine chooses the port.
      found.push({
        kind: 'address',
        path: `nodes[${index}].extraPortMappings[${portIndex}]${hostPort > 0 ? '.hostPort' : ''}`,
        what: `opens ${hostPort > 0 ? `port ${hostPort}` : 'a port'} on ${address === '0.0.0.0' || address === '' ? 'all addresses' : address} of this machine`,
      });
    }
    if (node.image !== undefined && !isKnownImage(node.image, repository)) {
      found.push({
        kind: 'image',
        path: `nodes[${index}].image`,
        what: `runs the image ${node.image} as a privileged container`,
      });
    }
    if ((node.kubeadmConfigPatches?.length ?? 0) + (node.kubeadmConfigPatchesJSON6902?.length ?? 0) > 0) {
      found.push({
        kind: 'patch',
        path: `nodes[${index}].kubeadmConfigPatches`,
        what: 'changes how kubeadm sets the node up',
      });
    }
  }
  if ((config.kubeadmConfigPatches?.length ?? 0) + (config.kubeadmConfigPatchesJSON6902?.length ?? 0) > 0) {
    found.push({
      kind: 'patch',
      path: 'kubeadmConfigPatches',
      what: 'changes how kubeadm sets the cluster up',
    });
  }
  if (
    (config.containerdConfigPatches?.length ?? 0) + (config.containerdConfigPatchesJSON6902?.length ?? 0) >
    0
  ) {
    found.push({
      kind: 'patch',
      path: 'containerdConfigPatches',
      what: "changes the nodes' container runtime, such as where images come from",
    });
  }
  const { apiServerAddress } = config.networking ?? {};
  if (apiServerAddress !== undefined && apiServerAddress !== '' && !LOOPBACK.test(apiServerAddress)) {
    found.push({
      kind: 'address',
      path: 'networking.apiServerAddress',
      what: `serves the cluster's API on ${apiServerAddress}, beyond this machine`,
    });
  }
  return found;
}

/** What `wanted` reaches beyond what `accepted` does already, wherever in the config it stands by now. */
export function furtherHostAccess(wanted: HostAccess[], accepted: HostAccess[]): HostAccess[] {
  return wanted.filter(({ what }) => !accepted.some((known) => known.what === what));
}

/** @throws DomainError `confirmation_required` unless there is nothing to confirm. */
export function refuseHostAccess(access: HostAccess[]): void {
  if (access.length === 0) return;
  throw new DomainError(
    'confirmation_required',
    `This config reaches beyond its containers: ${access.map(({ path, what }) => `${path} ${what}`).join('; ')}. Look at it, and send accept_host_access if it is wanted.`,
    access,
  );
}

function isKnownImage(image: string, repository: string): boolean {
  const short = repository.replace(/^docker\.io\//, '');
  return [repository, short, `docker.io/${short}`].some(
    (known) => image.startsWith(`${known}:`) || image.startsWith(`${known}@`),
  );
}
