import type { ClusterDto } from '../../shared/api/api-types';
import { kubeconfigName } from '../cluster-actions/kubeconfig';

/** Lists the nodes with the downloaded kubeconfig. */
export function machineCommand(cluster: ClusterDto): string {
  return `kubectl --kubeconfig ${kubeconfigName(cluster, 'machine')} get nodes`;
}

/**
 * Lists the nodes from inside a container. The example uses the node image, which is available and contains a
 * matching kubectl.
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
    // A demo cluster has no engine.
    `${cluster.runtime === 'podman' ? 'podman' : 'docker'} run --rm ${network}`,
    `-v "$PWD/${kubeconfigName(cluster, variant)}:/kubeconfig:ro"`,
    `--entrypoint kubectl ${image === undefined || image === '' ? 'kindest/node' : image}`,
    '--kubeconfig /kubeconfig get nodes',
  ].join(' ');
}

function addressOf({ api_server }: ClusterDto): string {
  const address = api_server === null ? '127.0.0.1' : new URL(api_server).hostname;
  return address.replace(/^\[|\]$/g, '');
}
