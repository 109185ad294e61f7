import { isNative } from './discovery/native-engine.js';
import { EngineRuntimeDriver } from './engine/engine-runtime-driver.js';
import type { Platform } from './engine/engine-images.js';
import type { EngineInfo, EngineVersion } from './engine/engine-responses.js';
import type { ProviderSettings, RuntimeInfo } from './runtime-driver.js';

/** First version of the API that saves one platform of an image. */
const SAVES_PLATFORMS = [1, 48] as const;
/** The kernel's words for what Go, and so every image, calls otherwise. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x86_64: 'amd64',
  aarch64: 'arm64',
  armv7l: 'arm',
  i686: '386',
};

/** Docker, in whatever packaging: the engine itself, Docker Desktop, Colima, Rancher Desktop, OrbStack. */
export class DockerRuntimeDriver extends EngineRuntimeDriver {
  override readonly id = 'docker';
  private platform: Platform | undefined;

  override provider(): ProviderSettings {
    return { provider: 'docker', environment: this.candidate.environment };
  }

  protected override describe(version: EngineVersion, info: EngineInfo): Omit<RuntimeInfo, 'clockOffsetMs'> {
    this.platform = platformOf(version, info);
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
        fixedAddresses: false,
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

  protected override platformToSave(): Platform | undefined {
    return this.platform;
  }

  protected override logsWholeSeconds(): boolean {
    return false;
  }

  /** kind gives Docker's nodes anonymous volumes, which only their containers name. */
  protected override labelledVolumes(): Promise<string[]> {
    return Promise.resolve([]);
  }
}

/** With containerd's store an image may hold several platforms; with Docker's own it holds one. */
function platformOf({ ApiVersion = '' }: EngineVersion, info: EngineInfo): Platform | undefined {
  const [major = 0, minor = 0] = ApiVersion.split('.').map(Number);
  const canChoose =
    major > SAVES_PLATFORMS[0] || (major === SAVES_PLATFORMS[0] && minor >= SAVES_PLATFORMS[1]);
  const holdsSeveral = (info.DriverStatus ?? []).some((entry) =>
    entry.join(' ').includes('containerd.snapshotter'),
  );
  const { Architecture = '' } = info;
  if (!canChoose || !holdsSeveral || Architecture === '') return undefined;
  return { os: 'linux', architecture: ARCHITECTURES[Architecture] ?? Architecture };
}
