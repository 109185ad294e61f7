import { isNative } from './discovery/native-engine.js';
import { nodeAmong } from './engine/cluster-objects.js';
import { EngineRuntimeDriver } from './engine/engine-runtime-driver.js';
import type { Platform } from './engine/engine-images.js';
import type { EngineInfo, EngineVersion } from './engine/engine-responses.js';
import type { ProviderSettings, RuntimeInfo } from './runtime-driver.js';

/** First major version whose compatible API tells when a line was written more finely than by the second. */
const LOGS_FRACTIONS = 5;

/** Podman, through its Docker-compatible API. */
export class PodmanRuntimeDriver extends EngineRuntimeDriver {
  override readonly id = 'podman';

  override provider(): ProviderSettings {
    return { provider: 'podman', environment: this.candidate.environment };
  }

  protected override describe(version: EngineVersion, info: EngineInfo): Omit<RuntimeInfo, 'clockOffsetMs'> {
    const engine = version.Components?.find((component) => component.Name === 'Podman Engine');
    const cgroupVersion = info.CgroupVersion === '2' ? 2 : info.CgroupVersion === '1' ? 1 : null;
    return {
      version: engine?.Version ?? version.Version ?? 'unknown',
      capabilities: {
        provisioner: 'kind',
        rootless:
          info.Rootless === true ||
          (info.SecurityOptions ?? []).some((option) => option.includes('name=rootless')),
        cgroupVersion,
        memoryIncludesCache: true,
        hostAlias: 'host.containers.internal',
        // kind gives its nodes none there, and versions before 5 have no call that changes one.
        restartPolicies: false,
        fixedAddresses: true,
        native: isNative(this.candidate, info),
      },
      host: {
        cpuCores: info.NCPU ?? 0,
        memoryBytes: info.MemTotal ?? 0,
        storagePath: info.DockerRootDir ?? null,
      },
      notices: [],
    };
  }

  /** An image of Podman has one platform: an index of several is only a list of images. */
  protected override platformToSave(): Platform | undefined {
    return undefined;
  }

  protected override logsWholeSeconds(): boolean {
    return Number.parseInt(this.info().version, 10) < LOGS_FRACTIONS;
  }

  /**
   * kind makes a named volume for each of Podman's nodes, with the node's name as its label, before it makes
   * the container: a creation that is cut between the two leaves a volume that no container names.
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
