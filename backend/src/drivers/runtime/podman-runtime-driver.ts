import { nodeAmong } from './engine/cluster-objects.js';
import { EngineRuntimeDriver, type EngineDescription } from './engine/engine-runtime-driver.js';
import type { Platform } from './engine/engine-images.js';
import type { EngineVersion } from './engine/engine-responses.js';
import type { NodeEvent, ProviderSettings } from './runtime-driver.js';

/** Exit status of a node whose first process was killed. */
const KILLED = 137;

/** First major version whose compatible API reports fractions of a second in logs. */
const LOGS_FRACTIONS = 5;

/** Podman, through its Docker-compatible API. */
export class PodmanRuntimeDriver extends EngineRuntimeDriver {
  override readonly id = 'podman';

  override provider(): ProviderSettings {
    return { provider: 'podman', environment: this.candidate.environment };
  }

  /** Podman has no event for it. */
  override async followEvents(onEvent: (event: NodeEvent) => void, signal: AbortSignal): Promise<void> {
    await super.followEvents((event) => {
      onEvent(event);
      if (event.action === 'die' && event.exitCode === KILLED) {
        void this.tellOutOfMemory(event, onEvent, signal);
      }
    }, signal);
  }

  private async tellOutOfMemory(
    event: NodeEvent,
    onEvent: (event: NodeEvent) => void,
    signal: AbortSignal,
  ): Promise<void> {
    // A container that is removed or cannot be read has no reason to tell. Callers must not fail by it.
    const inspected = await this.inspect(event.container).catch(() => undefined);
    if (inspected?.State?.OOMKilled !== true || signal.aborted) return;
    onEvent({ ...event, action: 'oom', exitCode: null });
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
