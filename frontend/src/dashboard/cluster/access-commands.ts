import { kubeconfigName } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';

/** Asks the cluster for its nodes with the saved kubeconfig. */
export function machineCommand(cluster: ClusterDto): string {
  return `kubectl --kubeconfig ${kubeconfigName(cluster, 'machine')} get nodes`;
}

/**
 * The same from inside a container. The node's own image is here already and has a kubectl of the right version;
 * what is to be copied from the command are the flags before it.
 */
export function containerCommand(
  cluster: ClusterDto,
  variant: 'network' | 'host',
  alias: string | null,
): string {
  const image = cluster.nodes.find(({ role }) => role === 'control-plane')?.image;
  const network =
    variant === 'network' ? '--network kind' : `--network host --add-host ${alias}:${addressOf(cluster)}`;
  return [
    // A demo cluster has no engine whose program could be named.
    `${cluster.runtime === 'podman' ? 'podman' : 'docker'} run --rm ${network}`,
    `-v "$PWD/${kubeconfigName(cluster, variant)}:/kubeconfig:ro"`,
    `--entrypoint kubectl ${image === undefined || image === '' ? 'kindest/node' : image}`,
    '--kubeconfig /kubeconfig get nodes',
  ].join(' ');
}

/** Where the API listens on the machine. */
function addressOf({ api_server }: ClusterDto): string {
  const address = api_server === null ? '127.0.0.1' : new URL(api_server).hostname;
  return address.replace(/^\[|\]$/g, '');
}
