import { json } from 'node:stream/consumers';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import { redact } from '../../../core/logging/index.js';
import type { EngineVolume } from '../runtime-driver.js';
import type { ContainerSummary, DiskUsage } from './engine-responses.js';
import type { EngineConnection } from './engine-connection.js';
import { isConflict, isGone } from './engine-error.js';
import { listContainers } from './list-containers.js';
import { nameOf } from './node-container.js';

const REMOVE_DEADLINE_MS = 30_000;
const MEASURE_DEADLINE_MS = 5 * 60_000;

export class EngineVolumes {
  constructor(private readonly connection: EngineConnection) {}

  async list(): Promise<EngineVolume[]> {
    const [{ Volumes }, containers] = await Promise.all([
      this.connection.read((client, abortSignal) => client.listVolumes({ abortSignal })),
      // All containers, not only nodes.
      listContainers(this.connection),
    ]);
    return (Volumes ?? []).map(({ Name, Labels, CreatedAt }) => ({
      name: Name,
      labels: Labels ?? {},
      createdAt: timeOf(CreatedAt),
      usedBy: containers.filter((container) => mounts(container, Name)).map(nameOf),
    }));
  }

  async measure(signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    const stream = await this.connection.requestStream(
      { path: '/system/df', method: 'GET', statusCodes: { 200: true } },
      signal,
      MEASURE_DEADLINE_MS,
    );
    const { Volumes } = (await json(stream)) as DiskUsage;
    return new Map(
      (Volumes ?? []).flatMap(({ Name, UsageData }) => {
        const size = UsageData?.Size ?? -1;
        return size >= 0 ? [[Name, size]] : [];
      }),
    );
  }

  async remove(name: string): Promise<void> {
    try {
      await this.connection.read(
        (client, abortSignal) => client.getVolume(name).remove({ abortSignal }),
        REMOVE_DEADLINE_MS,
      );
    } catch (error) {
      if (isGone(error)) return;
      if (!isConflict(error)) throw error;
      throw new DomainError(
        'volume_in_use',
        `${this.connection.engine} could not remove volume ${name}: ${redact(reasonOf(error)).trim()}.`,
        undefined,
        { cause: error },
      );
    }
  }
}

function mounts({ Mounts }: ContainerSummary, volume: string): boolean {
  return (Mounts ?? []).some(({ Type, Name }) => Type === 'volume' && Name === volume);
}

function timeOf(text: string | undefined): string | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
