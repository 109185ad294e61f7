import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { jsonValue } from '../../../core/parsing/index.js';
import type { EngineVolume } from '../runtime-driver.js';
import { diskUsage, type ContainerSummary } from './engine-responses.js';
import type { EngineConnection } from './engine-connection.js';
import { listContainers } from './list-containers.js';
import { nameOf, timeOf } from './node-container.js';
import { removeUnused } from './remove-unused.js';

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
      { path: '/system/df', method: 'GET' },
      Readable,
      signal,
      MEASURE_DEADLINE_MS,
    );
    const { Volumes } = diskUsage(jsonValue(await text(stream))) ?? {};
    return new Map(
      (Volumes ?? []).flatMap(({ Name, UsageData }) => {
        const size = UsageData?.Size ?? -1;
        return size >= 0 ? [[Name, size]] : [];
      }),
    );
  }

  async remove(name: string): Promise<void> {
    await removeUnused(this.connection, `volume ${name}`, 'volume_in_use', (client, abortSignal) =>
      client.getVolume(name).remove({ abortSignal }),
    );
  }
}

function mounts({ Mounts }: ContainerSummary, volume: string): boolean {
  return (Mounts ?? []).some(({ Type, Name }) => Type === 'volume' && Name === volume);
}
