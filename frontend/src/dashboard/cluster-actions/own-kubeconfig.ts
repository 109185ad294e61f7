import { inject, Service } from '@angular/core';
import { Api, clusterKey, type ClusterKey } from '../../shared/api/api';
import { Toaster } from '../../shared/ui/toaster';

/** Adds clusters to the user's own kubeconfig. */
@Service()
export class OwnKubeconfig {
  private readonly api = inject(Api);
  private readonly toaster = inject(Toaster);

  /** Shows the result. @returns whether the cluster was added */
  async add(cluster: ClusterKey, setCurrent = false): Promise<boolean> {
    const failure = $localize`Could not add the cluster to your kubeconfig.`;
    let isAdded = false;
    await this.toaster.attempt(failure, async () => {
      const { context, file } = await this.api.send(
        'POST /api/v1/clusters/{name}/kubeconfig/merge',
        clusterKey(cluster),
        { set_current: setCurrent },
      );
      isAdded = true;
      this.toaster.done(
        $localize`Added the context ${context}:context: to ${file}:file:.`,
        setCurrent ? $localize`It is the current context.` : '',
      );
    });
    return isAdded;
  }
}
