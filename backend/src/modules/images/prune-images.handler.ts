import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import { RuntimeRegistry, retryWhileUnavailable } from '../../drivers/runtime/index.js';
import { JobHandler, type Job, type JobConclusion, type JobContext, type JobPlan } from '../jobs/index.js';
import { DiskUsageService } from './disk-usage.service.js';

export interface PruneInput {
  runtime: string;
  /** Ids. */
  images: string[];
  /** Names. */
  volumes: string[];
}

/** What a prune removed, as the job's result carries it. */
interface Pruned {
  images: string[];
  volumes: string[];
  freed_bytes: number;
}

/** Removes node images and node volumes that no cluster needs: those that were chosen, looked at once more each. */
@Injectable()
export class PruneImagesHandler extends JobHandler<PruneInput> {
  override readonly kind = 'prune';

  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly usage: DiskUsageService,
  ) {
    super();
  }

  override plan(input: PruneInput): JobPlan {
    return {
      stages: [
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
      ],
    };
  }

  override announce({ runtime, images, volumes }: PruneInput): string {
    return `Removing ${counted(images.length, 'node image')} and ${counted(volumes.length, 'node volume')} from ${runtime}.`;
  }

  override describe({ runtime }: PruneInput, job: Readonly<Job>, { outcome, reason }: JobConclusion): string {
    const { images, volumes, freed_bytes } = prunedSoFar(job);
    const removed = `${counted(images.length, 'node image')} and ${counted(volumes.length, 'node volume')} removed from ${runtime}, up to ${(freed_bytes / 1e9).toFixed(1)} GB freed.`;
    switch (outcome) {
      case 'succeeded':
        return removed;
      case 'failed':
        return `Not all was removed: ${reason ?? 'the reason is not known'} ${removed}`;
      case 'cancelled':
        return `Cancelled. ${removed}`;
      case 'interrupted':
        return `Interrupted by a restart of Slipway. ${removed}`;
    }
  }

  override async conclude({ runtime }: PruneInput): Promise<void> {
    this.usage.forget(runtime);
  }

  /** What was removed is removed; the rest is still offered. */
  override async recover(): Promise<boolean> {
    return false;
  }

  private async removeImages({ runtime: id, images }: PruneInput, context: JobContext): Promise<void> {
    const runtime = this.runtimes.get(id);
    for (const [index, image] of images.entries()) {
      context.signal.throwIfAborted();
      // Asked anew for each: a cluster may have been begun meanwhile.
      const { node_images } = await retryWhileUnavailable(() => this.usage.now(runtime), context.signal);
      const found = node_images.find((candidate) => candidate.id === image);
      const name = found?.references[0] ?? image;
      if (!found) context.log(`${name} is gone already`);
      else if (found.removable) {
        const done = await removed(context, name, () => runtime.removeImage(found));
        if (done) remember(context, { images: [name], volumes: [], freed_bytes: found.size_bytes });
      } else {
        const users = found.used_by.map((user) => user.name);
        context.warn(`${name} stays: ${users.join(', ')} ${users.length === 1 ? 'needs' : 'need'} it.`);
      }
      context.progress((index + 1) / images.length, `${index + 1} of ${images.length}`);
    }
  }

  private async removeVolumes({ runtime: id, volumes }: PruneInput, context: JobContext): Promise<void> {
    const runtime = this.runtimes.get(id);
    for (const [index, volume] of volumes.entries()) {
      context.signal.throwIfAborted();
      const { volumes: all } = await retryWhileUnavailable(() => this.usage.now(runtime), context.signal);
      const found = all.find((candidate) => candidate.name === volume);
      const name = found ? `the volume of ${found.node}` : `the volume ${volume.slice(0, 12)}`;
      if (!found) context.warn(`${name} stays or is gone: it is no node volume that nobody uses.`);
      else if (found.removable) {
        const done = await removed(context, name, () => runtime.removeVolume(volume));
        if (done) remember(context, { images: [], volumes: [volume], freed_bytes: found.size_bytes ?? 0 });
      } else context.warn(`${name} stays: ${found.cluster ?? 'a container'} uses it.`);
      context.progress((index + 1) / volumes.length, `${index + 1} of ${volumes.length}`);
    }
  }
}

/** @returns whether it was removed; that an engine keeps what something needs is no failure of the job. */
async function removed(context: JobContext, name: string, remove: () => Promise<void>): Promise<boolean> {
  try {
    await retryWhileUnavailable(remove, context.signal);
    context.log(`${name} is removed`);
    return true;
  } catch (error) {
    const kept = error instanceof DomainError && ['image_in_use', 'volume_in_use'].includes(error.code);
    if (!kept) throw error;
    context.warn(`${name} stays: ${error.message}`);
    return false;
  }
}

function remember(context: JobContext, more: Pruned): void {
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

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
