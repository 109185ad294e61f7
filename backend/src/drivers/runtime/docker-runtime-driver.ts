import { ownValue } from '../../core/values/index.js';
import { EngineRuntimeDriver, type EngineDescription } from './engine/engine-runtime-driver.js';
import type { Platform } from './engine/engine-images.js';
import type { EngineInfo, EngineVersion } from './engine/engine-responses.js';
import type { ProviderSettings } from './runtime-driver.js';

/** First API version that can save a single platform of an image. */
const SAVES_PLATFORMS = '1.48';
/** Go architectures, which images use, by their kernel names. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x86_64: 'amd64',
  aarch64: 'arm64',
  armv7l: 'arm',
  i686: '386',
};

/** Docker Engine, also as part of Docker Desktop, Colima, Rancher Desktop or OrbStack. */
export class DockerRuntimeDriver extends EngineRuntimeDriver {
  override readonly id = 'docker';
  private platform: Platform | undefined;

  override provider(): ProviderSettings {
    return { provider: 'docker', environment: this.candidate.environment };
  }

  protected override describe(version: EngineVersion, info: EngineInfo): EngineDescription {
    this.platform = platformOf(version, info);
    return {
      version: version.Version,
      memoryIncludesCache: false,
      hostAlias: 'host.docker.internal',
      restartPolicies: true,
      fixedAddresses: false,
    };
  }

  protected override platformToSave(): Platform | undefined {
    return this.platform;
  }

  protected override logsWholeSeconds(): boolean {
    return false;
  }

  /** On Docker, kind uses anonymous volumes, which only the containers refer to. */
  protected override labelledVolumes(): Promise<string[]> {
    return Promise.resolve([]);
  }
}

/** With the containerd image store, an image can have several platforms; otherwise it has one. */
function platformOf({ ApiVersion = '' }: EngineVersion, info: EngineInfo): Platform | undefined {
  const canChoose = ApiVersion.localeCompare(SAVES_PLATFORMS, 'en', { numeric: true }) >= 0;
  const holdsSeveral = (info.DriverStatus ?? []).some((entry) =>
    entry.join(' ').includes('containerd.snapshotter'),
  );
  const { Architecture = '' } = info;
  if (!canChoose || !holdsSeveral || Architecture === '') return undefined;
  return { os: 'linux', architecture: ownValue(ARCHITECTURES, Architecture) ?? Architecture };
}
