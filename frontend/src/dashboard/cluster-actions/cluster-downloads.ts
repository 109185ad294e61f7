import { inject, Service } from '@angular/core';
import { Api, clusterKey, type ClusterKey } from '../../shared/api/api';
import { saveFile } from '../../shared/ui/save-file';
import { Toaster } from '../../shared/ui/toaster';
import { kubeconfigName, type KubeconfigVariant, readKubeconfig } from './kubeconfig';

@Service()
export class ClusterDownloads {
  private readonly api = inject(Api);
  private readonly toaster = inject(Toaster);

  async kubeconfig(cluster: ClusterKey, variant: KubeconfigVariant = 'machine'): Promise<void> {
    await this.toaster.attempt($localize`Could not download the kubeconfig.`, async () => {
      const text = await readKubeconfig(this.api, cluster, variant);
      saveFile(text, kubeconfigName(cluster, variant), 'application/yaml');
    });
  }

  async nodeLogs(cluster: ClusterKey): Promise<void> {
    await this.toaster.attempt($localize`Could not download the node logs.`, async () =>
      saveFile(
        await this.api.file('/api/v1/clusters/{name}/node-logs', clusterKey(cluster)),
        `${cluster.name}-logs.tar.gz`,
        'application/gzip',
      ),
    );
  }
}
