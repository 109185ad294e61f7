import { type Api, clusterKey, type ClusterKey } from '../../shared/api/api';

/** Where a kubeconfig is used: on the host, or in a container by one of two addresses. */
export type KubeconfigVariant = 'machine' | 'host' | 'network';

/** File name of a downloaded kubeconfig; the server uses the same. */
export function kubeconfigName({ name }: Pick<ClusterKey, 'name'>, variant: KubeconfigVariant): string {
  return variant === 'machine' ? `${name}.kubeconfig.yaml` : `${name}.${variant}.kubeconfig.yaml`;
}

export function readKubeconfig(api: Api, cluster: ClusterKey, variant: KubeconfigVariant): Promise<string> {
  const key = clusterKey(cluster);
  return variant === 'machine'
    ? api.text('/api/v1/clusters/{name}/kubeconfig', key)
    : api.text('/api/v1/clusters/{name}/kubeconfig/docker', { ...key, variant });
}
