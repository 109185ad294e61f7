import { nodeAmong } from './engine/cluster-objects.js';
import { EngineRuntimeDriver, type EngineDescription } from './engine/engine-runtime-driver.js';
import type { Platform } from './engine/engine-images.js';
import type { EngineVersion } from './engine/engine-responses.js';
import type { ProviderSettings } from './runtime-driver.js';

/** First major version whose compatible API reports fractions of a second in logs. */
const LOGS_FRACTIONS = 5;

/** Podman, through its Docker-compatible API. */
export class PodmanRuntimeDriver extends EngineRuntimeDriver {
  override readonly id = 'podman';

  override provider(): ProviderSettings {
    return { provider: 'podman', environment: this.candidate.environment };
  }

  protected override describe({ Components, Version }: EngineVersion): EngineDescription {
    const engine = Components?.find(({ Name }) => Name === 'Podman Engine');
    return {
      version: engine?.Version ?? Version,
      memoryIncludesCache: true,
      hostAlias: 'host.containers.internal',
      // kind sets none on Podman, and versions before 5 cannot change the policy of a container.
      restartPolicies: false,
      fixedAddresses: true,
    };
  }

  protected override platformToSave(): Platform | undefined {
    return undefined;
  }

  protected override logsWholeSeconds(): boolean {
    return Number.parseInt(this.info().version, 10) < LOGS_FRACTIONS;
  }

  /**
   * On Podman, kind creates a volume for each node, labeled with the node's name, before it creates the container. If a
   * creation is interrupted in between, no container refers to the volume.
   */
  protected override async labelledVolumes(cluster: string): Promise<string[]> {
    const { Volumes } = await this.connection.read((client, abortSignal) =>
      client.listVolumes({ abortSignal }),
    );
    return (Volumes ?? [])
      .filter(({ Labels }) => nodeAmong(Labels, cluster) !== null)
      .map(({ Name }) => Name);
  }
}
