import type { RuntimeRegistry } from '../runtime/index.js';
import { ClusterKubeconfig } from './cluster-kubeconfig.js';
import type { ClusterTarget } from './kubernetes-gateway.js';
import { accessOf, type ServerAccess } from './server-access.js';

/**
 * Returns the access with which Slipway itself reaches a cluster. In a container it differs from the kubeconfig of the
 * target, which is for the host.
 */
export type ApiRoute = (target: ClusterTarget) => Promise<ServerAccess>;

/** The route of a process outside containers. */
export const directRoute: ApiRoute = ({ kubeconfig }) =>
  Promise.resolve(kubeconfig instanceof ClusterKubeconfig ? accessOf(kubeconfig) : kubeconfig);

export function apiRoute(runtimes: RuntimeRegistry): ApiRoute {
  return async (target) => {
    const { name, runtime, kubeconfig } = target;
    if (!(kubeconfig instanceof ClusterKubeconfig)) return kubeconfig;
    const host = await runtimes.get(runtime).apiHost(name);
    return accessOf(host === null ? kubeconfig : kubeconfig.viaNetwork(host));
  };
}
