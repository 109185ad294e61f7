import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { hasCode } from '../../../core/errors/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import {
  engineDisk,
  RuntimeRegistry,
  type EngineVolume,
  type NodeContainer,
  type RuntimeDriver,
} from '../../../drivers/runtime/index.js';
import { ClusterStore, NodeInventory } from '../../clusters/index.js';
import { EngineImagesService } from '../common/engine-images.service.js';
import { ImageUsers } from '../common/image-users.js';
import {
  NODE_VOLUME,
  type DiskUsageDto,
  type NodeImageUsageDto,
  type NodeVolumeUsageDto,
} from '../common/usage.dto.js';

/** kind labels the volume of a Podman node only with the node's name. */
const NODE_LABEL = /^(.+)-(control-plane|worker|external-load-balancer)\d*$/;
/** kind creates a volume before its container, so a new volume may be used soon. */
const SETTLED_MS = 10 * 60_000;
/** How long a request waits for volume sizes. The engine reads all files to measure them. */
const MAX_WAIT_MS = 1500;
const MAX_AGE_MS = 60_000;

interface Measurement {
  sizes: ReadonlyMap<string, number>;
  at: number;
}

/** Disk usage of node images and volumes, and which of them are unused. */
@Injectable()
export class DiskUsageService {
  private readonly measured = new Map<string, Measurement>();
  private readonly measuring = new Map<string, Promise<void>>();

  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly inventory: NodeInventory,
    private readonly store: ClusterStore,
    private readonly images: EngineImagesService,
    private readonly users: ImageUsers,
    private readonly logger: AppLogger,
  ) {}

  /** For all engines. An unavailable engine has a reason instead. */
  async read(): Promise<DiskUsageDto[]> {
    return await Promise.all(
      this.runtimes.available().map(async (runtime) => {
        try {
          const sizes = await this.sizesOf(runtime);
          return await this.ofEngine(runtime, sizes);
        } catch (error) {
          if (!hasCode(error, 'runtime_unavailable')) throw error;
          this.runtimes.report(runtime.id, error);
          return { ...EMPTY, runtime: runtime.id, reason: error.message };
        }
      }),
    );
  }

  /** Without waiting for sizes. @throws DomainError `runtime_unavailable` */
  async now(runtime: RuntimeDriver): Promise<DiskUsageDto> {
    return await this.ofEngine(runtime, this.measured.get(runtime.id)?.sizes);
  }

  /** Drops cached sizes after a removal. */
  forget(runtimeId: string): void {
    this.measured.delete(runtimeId);
  }

  private async ofEngine(
    runtime: RuntimeDriver,
    sizes: ReadonlyMap<string, number> | undefined,
  ): Promise<DiskUsageDto> {
    const [images, volumes, disk] = await Promise.all([
      this.nodeImages(runtime),
      this.volumes(runtime, sizes),
      engineDisk(runtime),
    ]);
    const removable = [...images, ...volumes].filter((entry) => entry.removable);
    return {
      runtime: runtime.id,
      reason: null,
      node_images: images,
      volumes,
      measuring: this.measuring.has(runtime.id),
      freeable_bytes: removable.reduce((sum, { size_bytes }) => sum + (size_bytes ?? 0), 0),
      disk_total_bytes: disk?.totalBytes ?? null,
      disk_free_bytes: disk?.freeBytes ?? null,
    };
  }

  private async nodeImages(runtime: RuntimeDriver): Promise<NodeImageUsageDto[]> {
    const [all, users] = await Promise.all([runtime.allImages(), this.users.read()]);
    return all.flatMap((image) => {
      const used_by = users.of(image);
      if (!this.images.isNodeImage(image)) return [];
      const { id, references, sizeBytes } = image;
      return [{ id, references, size_bytes: sizeBytes, used_by, removable: used_by.length === 0 }];
    });
  }

  private async volumes(
    runtime: RuntimeDriver,
    sizes: ReadonlyMap<string, number> | undefined,
  ): Promise<NodeVolumeUsageDto[]> {
    const [all, nodes, engines, metas] = await Promise.all([
      runtime.listVolumes(),
      runtime.listNodes(),
      this.inventory.read(),
      this.store.list(),
    ]);
    const known = new Set([
      ...metas.map(({ name }) => name),
      ...engines.flatMap((engine) => engine.nodes.map(({ cluster }) => cluster)),
      ...nodes.map(({ cluster }) => cluster),
    ]);
    return all.flatMap((volume) => {
      const user = nodes.find(({ name }) => volume.usedBy.includes(name));
      const orphan = user === undefined ? orphanOf(volume, known) : undefined;
      const node = user?.name ?? orphan;
      if (node === undefined) return [];
      return [describeVolume(volume, node, user, sizes)];
    });
  }

  /** Returns the sizes if they are available soon. A longer measurement continues for the next request. */
  private async sizesOf(runtime: RuntimeDriver): Promise<ReadonlyMap<string, number> | undefined> {
    const known = this.measured.get(runtime.id);
    if (known && performance.now() - known.at < MAX_AGE_MS) return known.sizes;
    let work = this.measuring.get(runtime.id);
    if (!work) {
      work = this.measure(runtime).finally(() => this.measuring.delete(runtime.id));
      this.measuring.set(runtime.id, work);
    }
    await Promise.race([work, delay(MAX_WAIT_MS, undefined, { ref: false })]);
    return this.measured.get(runtime.id)?.sizes;
  }

  private async measure(runtime: RuntimeDriver): Promise<void> {
    try {
      const sizes = await runtime.measureVolumes(new AbortController().signal);
      this.measured.set(runtime.id, { sizes, at: performance.now() });
    } catch (error) {
      // Sizes are optional.
      this.logger.failure(`${runtime.id} could not measure its volumes`, error);
    }
  }
}

const EMPTY: Omit<DiskUsageDto, 'runtime' | 'reason'> = {
  node_images: [],
  volumes: [],
  measuring: false,
  freeable_bytes: 0,
  disk_total_bytes: null,
  disk_free_bytes: null,
};

/**
 * The node of an unused volume that kind created: it has a random name, a single label with a node's name, no
 * container, and no existing or saved cluster of that name. Docker's node volumes have no label, so unused ones cannot
 * be identified.
 */
function orphanOf(volume: EngineVolume, clusters: ReadonlySet<string>): string | undefined {
  const labels = Object.entries(volume.labels);
  const [label] = labels;
  if (labels.length !== 1 || !label || !NODE_VOLUME.test(volume.name) || volume.usedBy.length > 0) {
    return undefined;
  }
  const [node, value] = label;
  const cluster = NODE_LABEL.exec(node)?.[1];
  if (cluster === undefined || clusters.has(cluster) || !['', 'true'].includes(value)) return undefined;
  const age = Date.now() - Date.parse(volume.createdAt ?? '');
  return age > SETTLED_MS ? node : undefined;
}

function describeVolume(
  { name, createdAt }: EngineVolume,
  node: string,
  user: NodeContainer | undefined,
  sizes: ReadonlyMap<string, number> | undefined,
): NodeVolumeUsageDto {
  return {
    name,
    node,
    cluster: user?.cluster ?? null,
    size_bytes: sizes?.get(name) ?? null,
    created_at: createdAt,
    removable: user === undefined,
  };
}
