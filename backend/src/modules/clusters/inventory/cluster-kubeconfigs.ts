import { Injectable } from '@nestjs/common';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import { EXTERNAL_RUNTIME } from '../../../core/security/index.js';
import type { ClusterKubeconfig, ClusterTarget, ServerAccess } from '../../../drivers/kubernetes/index.js';
import { ProvisionerSelector } from '../../../drivers/provisioner/index.js';
import { assertAvailable, RuntimeRegistry } from '../../../drivers/runtime/index.js';
import { ClusterStore, type ClusterKey } from './cluster.store.js';

/** Reads the administrator kubeconfig of a cluster, in whatever state the cluster is. */
@Injectable()
export class ClusterKubeconfigs {
  /** The access to a cluster of a kubeconfig. Set by the part that reads kubeconfigs. @throws DomainError with the reason if it has no context */
  external: (name: string, isChange: boolean) => Promise<ServerAccess> = (name) =>
    Promise.reject(new DomainError('cluster_not_found', `Cluster ${name} does not exist.`));

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

  /**
   * How to reach a cluster, also one of a kubeconfig.
   * @param read for a cluster of kind
   * @param isChange whether it is for a change, which fails with `changes_off` while they are off
   */
  async target(key: ClusterKey, read = () => this.read(key), isChange = false): Promise<ClusterTarget> {
    const isExternal = key.runtime === EXTERNAL_RUNTIME;
    const kubeconfig = isExternal ? await this.external(key.name, isChange) : await read();
    return { name: key.name, runtime: key.runtime, kubeconfig };
  }

  /** The kind of the drivers for a cluster. A cluster of a kubeconfig is reached like a real one of kind. */
  driversOf({ runtime }: Pick<ClusterKey, 'runtime'>): 'kind' | 'demo' {
    if (runtime === EXTERNAL_RUNTIME) return 'kind';
    return this.runtimes.get(runtime).info().capabilities.provisioner;
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
