import { EngineRuntimeDriver } from './engine/engine-runtime-driver.js';
import type { EngineInfo, EngineVersion } from './engine/engine-answers.js';
import type { ProviderSettings, RuntimeInfo } from './runtime-driver.js';

/** Docker, in whatever packaging: the engine itself, Docker Desktop, Colima, Rancher Desktop, OrbStack. */
export class DockerRuntimeDriver extends EngineRuntimeDriver {
  override readonly id = 'docker';

  override provider(): ProviderSettings {
    return { provider: 'docker', environment: this.candidate.environment };
  }

  protected override describe(version: EngineVersion, info: EngineInfo): RuntimeInfo {
    const cgroupVersion = info.CgroupVersion === '2' ? 2 : info.CgroupVersion === '1' ? 1 : null;
    return {
      version: version.Version ?? 'unknown',
      capabilities: {
        provisioner: 'kind',
        rootless: (info.SecurityOptions ?? []).some((option) => option.includes('name=rootless')),
        cgroupVersion,
        memoryIncludesCache: false,
        hostAlias: 'host.docker.internal',
        restartPolicies: true,
      },
      host: {
        cpuCores: info.NCPU ?? 0,
        memoryBytes: info.MemTotal ?? 0,
        storagePath: info.DockerRootDir ?? null,
      },
      notices: [],
    };
  }

  /** kind gives Docker's nodes anonymous volumes, which only their containers name. */
  protected override labelledVolumes(): Promise<string[]> {
    return Promise.resolve([]);
  }
}
