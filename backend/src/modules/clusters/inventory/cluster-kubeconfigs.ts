import { Injectable } from '@nestjs/common';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import type { ClusterKubeconfig } from '../../../drivers/kubernetes/index.js';
import { ProvisionerSelector } from '../../../drivers/provisioner/index.js';
import { assertAvailable, RuntimeRegistry } from '../../../drivers/runtime/index.js';
import { ClusterStore, type ClusterKey } from './cluster.store.js';

/** Reads the administrator kubeconfig of a cluster, in whatever state the cluster is. */
@Injectable()
export class ClusterKubeconfigs {
  constructor(
    private readonly store: ClusterStore,
    private readonly runtimes: RuntimeRegistry,
    private readonly provisioners: ProvisionerSelector,
  ) {}

  /**
   * The saved kubeconfig, or the one in the control plane. Does not use the list of clusters: when a job is recovered
   * at startup, that list may not include every engine yet.
   * @throws DomainError `cluster_unreachable` or `runtime_unavailable`
   */
  async read(key: ClusterKey): Promise<ClusterKubeconfig> {
    return (await this.store.readKubeconfig(key)) ?? (await this.readFromNodes(key));
  }

  /** @throws DomainError `cluster_unreachable` or `runtime_unavailable` */
  async readFromNodes({ name, runtime }: ClusterKey): Promise<ClusterKubeconfig> {
    const driver = this.runtimes.get(runtime);
    await assertAvailable(driver);
    try {
      return await this.provisioners.for(driver).kubeconfig(name, driver);
    } catch (cause) {
      throw new DomainError(
        'cluster_unreachable',
        `Could not read the kubeconfig of ${name} from its control plane: ${reasonOf(cause)}.`,
        undefined,
        { cause },
      );
    }
  }
}
