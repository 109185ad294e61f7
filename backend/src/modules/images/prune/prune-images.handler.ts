import { Injectable } from '@nestjs/common';
import { hasCode } from '../../../core/errors/index.js';
import { counted } from '../../../core/values/index.js';
import { RuntimeRegistry, retryWhileUnavailable } from '../../../drivers/runtime/index.js';
import {
  JobHandler,
  type Job,
  type JobConclusion,
  type JobContext,
  type JobStage,
  type OutcomeTexts,
} from '../../jobs/index.js';
import type { PruneDto } from '../common/usage.dto.js';
import { DiskUsageService } from './disk-usage.service.js';

interface Pruned {
  images: string[];
  volumes: string[];
  freed_bytes: number;
}

/** Removes selected node images and volumes. Each is checked again before its removal. */
@Injectable()
export class PruneImagesHandler extends JobHandler<PruneDto> {
  override readonly kind = 'prune';

  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly usage: DiskUsageService,
  ) {
    super();
  }

  override plan(input: PruneDto): JobStage[] {
    return [
      {
        steps: [{ name: 'images', title: 'Removing node images', weight: 0.2 + 2 * input.images.length }],
        run: (context) => this.removeImages(input, context),
      },
      {
        steps: [
          { name: 'volumes', title: 'Removing node volumes', weight: 0.2 + 0.5 * input.volumes.length },
        ],
        run: (context) => this.removeVolumes(input, context),
      },
    ];
  }

  override title({ runtime }: PruneDto): string {
    return `Prune ${runtime}`;
  }

  override texts({ runtime }: PruneDto, { job, outcome }: JobConclusion): OutcomeTexts {
    const { images, volumes, freed_bytes } = prunedSoFar(job);
    const removed = `Removed ${counted(images.length, 'node image')} and ${counted(volumes.length, 'node volume')} from ${runtime}, and freed up to ${(freed_bytes / 1e9).toFixed(1)} GB.`;
    // An engine completes requests of a killed program.
    const late = outcome === 'interrupted' ? ' The engine may have completed one more removal.' : '';
    return { succeeded: removed, unfinished: removed + late, failed: removed };
  }

  override async conclude({ runtime }: PruneDto): Promise<void> {
    this.usage.forget(runtime);
  }

  /** Another prune can remove the rest. */
  override async recover(): Promise<boolean> {
    return false;
  }

  private async removeImages({ runtime: id, images }: PruneDto, context: JobContext): Promise<void> {
    const runtime = this.runtimes.get(id);
    for (const [index, image] of images.entries()) {
      context.signal.throwIfAborted();
      // Read again for each, because a cluster may have been created meanwhile.
      const { node_images } = await retryWhileUnavailable(() => this.usage.now(runtime), context.signal);
      const found = node_images.find((candidate) => candidate.id === image);
      const name = found?.references[0] ?? image;
      if (!found) context.log(`${name} no longer exists`);
      else if (found.removable) {
        const done = await tryRemove(context, name, () => runtime.removeImage(found));
        if (done) addToResult(context, { images: [name], volumes: [], freed_bytes: found.size_bytes });
      } else {
        const users = found.used_by.map((user) => user.name);
        context.warn(`Skipped ${name}: ${users.join(', ')} ${users.length === 1 ? 'uses' : 'use'} it.`);
      }
      context.progress((index + 1) / images.length, `${index + 1} of ${images.length}`);
    }
  }

  private async removeVolumes({ runtime: id, volumes }: PruneDto, context: JobContext): Promise<void> {
    const runtime = this.runtimes.get(id);
    for (const [index, volume] of volumes.entries()) {
      context.signal.throwIfAborted();
      const { volumes: all } = await retryWhileUnavailable(() => this.usage.now(runtime), context.signal);
      const found = all.find((candidate) => candidate.name === volume);
      const name = found ? `volume of ${found.node}` : `volume ${volume.slice(0, 12)}`;
      if (!found) context.warn(`Skipped ${name}: it is in use or no longer exists.`);
      else if (found.removable) {
        const done = await tryRemove(context, name, () => runtime.removeVolume(volume));
        if (done) addToResult(context, { images: [], volumes: [volume], freed_bytes: found.size_bytes ?? 0 });
      } else context.warn(`Skipped ${name}: ${found.cluster ?? 'a container'} uses it.`);
      context.progress((index + 1) / volumes.length, `${index + 1} of ${volumes.length}`);
    }
  }
}

/** @returns whether it was removed. An object that is in use is only a warning. */
async function tryRemove(context: JobContext, name: string, remove: () => Promise<void>): Promise<boolean> {
  try {
    await retryWhileUnavailable(remove, context.signal);
    context.log(`Removed ${name}`);
    return true;
  } catch (error) {
    const isInUse = hasCode(error, 'image_in_use', 'volume_in_use');
    if (!isInUse) throw error;
    context.warn(`Skipped ${name}: ${error.message}`);
    return false;
  }
}

function addToResult(context: JobContext, more: Pruned): void {
  const before = prunedSoFar(context.job);
  context.result({
    images: [...before.images, ...more.images],
    volumes: [...before.volumes, ...more.volumes],
    freed_bytes: before.freed_bytes + more.freed_bytes,
  });
}

function prunedSoFar(job: Readonly<Job>): Pruned {
  return { images: [], volumes: [], freed_bytes: 0, ...(job.result as Partial<Pruned> | null) };
}
