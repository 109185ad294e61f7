import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../../../backend/src/core/errors/domain-error.js';
import { ApiServerGateway } from '../../../backend/src/drivers/kubernetes/api-server-gateway.js';
import { ClusterKubeconfig } from '../../../backend/src/drivers/kubernetes/cluster-kubeconfig.js';
import type { KubernetesObject } from '../../../backend/src/drivers/kubernetes/object-fields.js';
import { referenceOf } from '../../../backend/src/drivers/kubernetes/object-reference.js';
import type { ResourceApi, ResourceReference } from '../../../backend/src/drivers/kubernetes/resource-api.js';
import { HelmError } from './helm-call.js';

const POLL_MS = 50;

/** A cluster that helm connects to through its kubeconfig. */
export class HelmCluster {
  private constructor(
    readonly server: string,
    private readonly gateway: ApiServerGateway,
    private readonly api: ResourceApi,
  ) {}

  /** @throws HelmError with the message of the version if it does not respond. */
  static async reach(kubeconfig: string, major: 3 | 4): Promise<HelmCluster> {
    const parsed = ClusterKubeconfig.parse(kubeconfig);
    const { server } = parsed.endpoint;
    const gateway = new ApiServerGateway();
    try {
      const api = await gateway.resources({ name: 'helm', runtime: 'helm', kubeconfig: parsed });
      await api.types();
      return new HelmCluster(server, gateway, api);
    } catch (error) {
      gateway.forget('helm', 'helm');
      const word = major === 3 ? 'Kubernetes' : 'kubernetes';
      throw new HelmError(`${word} cluster unreachable: Get "${server}/version": ${String(error)}`);
    }
  }

  leave(): void {
    this.gateway.forget('helm', 'helm');
  }

  async makeNamespace(name: string): Promise<void> {
    await this.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }

  async apply(object: KubernetesObject): Promise<void> {
    await this.api.apply(await this.referenceOf(object), object, { force: true });
  }

  async remove(object: KubernetesObject, gone: AbortSignal): Promise<void> {
    const reference = await this.referenceOf(object);
    try {
      await this.api.remove(reference);
      for (;;) {
        await this.api.read(reference);
        await delay(POLL_MS, undefined, { signal: gone });
      }
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'resource_not_found')) throw error;
    }
  }

  async areReady(objects: readonly KubernetesObject[]): Promise<boolean> {
    for (const object of objects.filter(({ kind }) => kind === 'Deployment')) {
      const { spec, status = {} } = (await this.api.read(
        await this.referenceOf(object),
      )) as KubernetesObject & {
        spec: { replicas: number };
        status?: { replicas?: number; updatedReplicas?: number; availableReplicas?: number };
      };
      const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
      // Replicas of the previous revision are available until they are replaced.
      if (replicas !== updatedReplicas || availableReplicas < spec.replicas) return false;
    }
    return true;
  }

  private async referenceOf(object: KubernetesObject): Promise<ResourceReference> {
    const reference = await referenceOf(this.api, object);
    if (reference) return reference;
    throw new HelmError(`resource mapping not found: no matches for kind "${object.kind}"`);
  }
}
