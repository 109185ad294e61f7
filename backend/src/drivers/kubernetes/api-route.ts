import type { RuntimeRegistry } from '../runtime/index.js';
import type { ClusterKubeconfig } from './cluster-kubeconfig.js';
import type { ClusterTarget } from './kubernetes-gateway.js';

/**
 * Returns the kubeconfig with which Slipway itself reaches a cluster. In a container it differs from that of the target,
 * which is for the host.
 */
export type ApiRoute = (target: ClusterTarget) => Promise<ClusterKubeconfig>;

/** The route of a process outside containers. */
export const directRoute: ApiRoute = ({ kubeconfig }) => Promise.resolve(kubeconfig);

export function apiRoute(runtimes: RuntimeRegistry): ApiRoute {
  return async ({ name, runtime, kubeconfig }) => {
    const host = await runtimes.get(runtime).apiHost(name);
    return host === null ? kubeconfig : kubeconfig.viaNetwork(host);
  };
}
