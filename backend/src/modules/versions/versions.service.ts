import { Injectable } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { hasCode } from '../../core/errors/index.js';
import { NODE_IMAGE_TAG } from '../../core/security/index.js';
import {
  isUnfit,
  judgeTag,
  ProvisionerSelector,
  type ProvisionerStatus,
  type TagFit,
} from '../../drivers/provisioner/index.js';
import { RuntimeRegistry, type LocalImage, type RuntimeDriver } from '../../drivers/runtime/index.js';
import { RegistryTags, type RegistryLookup } from './registry-tags.js';
import type { NodeImageTagDto, TagOrigin, VersionsDto } from './version.dto.js';

const NO_LOOKUP: RegistryLookup = { state: 'off', reason: null, readAt: null, tags: [] };

/** Kubernetes versions for new clusters: the ones of kind, of local images and of the registry. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly configuration: Configuration,
    private readonly runtimes: RuntimeRegistry,
    private readonly provisioners: ProvisionerSelector,
    private readonly registry: RegistryTags,
  ) {}

  async read(): Promise<VersionsDto> {
    const active = this.runtimes.active();
    const provisioner = this.provisioners.forNewClusters(active);
    const status = await provisioner.status();
    const cgroupVersion = active?.info().capabilities.cgroupVersion ?? null;
    const tags = await this.localTags(this.runtimes.available(), status, cgroupVersion);
    // A demo pulls no images.
    const registry = provisioner.kind === 'demo' ? NO_LOOKUP : this.registry.current();
    // The tag for this kind has priority: the registry may have a build for another release.
    const here = new Set([...tags.keys()].map((tag) => tag.split('@')[0]));
    for (const tag of registry.tags) {
      if (!here.has(tag)) tags.set(tag, this.entryOf(tag, 'registry', judgeTag(tag, status, cgroupVersion)));
    }
    const sorted = inOrder(tags);
    return {
      default_tag: chooseDefault(sorted, status.defaultTag),
      provisioner: status.name,
      provisioner_version: status.version,
      registry: {
        repository: this.configuration.values.nodeImageRepository,
        state: registry.state,
        reason: registry.reason,
        read_at: registry.readAt,
      },
      tags: sorted,
    };
  }

  /** The tag for nodes without an image: one that is on the machine comes before one that must be pulled. */
  async defaultTagFor(runtime: RuntimeDriver): Promise<string | null> {
    const status = await this.provisioners.for(runtime).status();
    const tags = await this.localTags([runtime], status, runtime.info().capabilities.cgroupVersion);
    return chooseDefault(inOrder(tags), status.defaultTag);
  }

  /** The tags of kind, and those of images in engines. */
  private async localTags(
    runtimes: readonly RuntimeDriver[],
    status: ProvisionerStatus,
    cgroupVersion: 1 | 2 | null,
  ): Promise<Map<string, NodeImageTagDto>> {
    const tags = new Map<string, NodeImageTagDto>();
    const add = (tag: string, origin: TagOrigin): NodeImageTagDto => {
      const entry = this.entryOf(tag, origin, judgeTag(tag, status, cgroupVersion));
      tags.set(tag, entry);
      return entry;
    };
    for (const tag of status.fittingTags) add(tag, 'kind');
    const found = await Promise.all(
      runtimes.map(async (runtime) => ({ runtime: runtime.id, images: await this.localImages(runtime) })),
    );
    for (const { runtime, images } of found) {
      for (const image of images) addLocal(tags, runtime, image, add);
    }
    return tags;
  }

  private entryOf(tag: string, origin: TagOrigin, { fits, reason }: TagFit): NodeImageTagDto {
    return {
      tag,
      image: `${this.configuration.values.nodeImageRepository}:${tag}`,
      origin,
      present_in: [],
      size_bytes: null,
      fits,
      fits_reason: reason,
    };
  }

  private async localImages(runtime: RuntimeDriver): Promise<LocalImage[]> {
    try {
      return await runtime.listImages(this.configuration.values.nodeImageRepository);
    } catch (error) {
      if (!hasCode(error, 'runtime_unavailable')) throw error;
      // The list must not fail because of one engine.
      this.runtimes.report(runtime.id, error);
      return [];
    }
  }
}

function addLocal(
  tags: Map<string, NodeImageTagDto>,
  runtime: string,
  { reference, digests, sizeBytes }: LocalImage,
  add: (tag: string, origin: TagOrigin) => NodeImageTagDto,
): void {
  const tag = reference.slice(reference.lastIndexOf(':') + 1);
  if (!NODE_IMAGE_TAG.test(tag)) return;
  // kind pins its image by digest, so the same digest is the same image.
  const pinned = [...tags.values()].find(
    (entry) => entry.tag.startsWith(`${tag}@`) && digests.some((digest) => entry.tag.endsWith(digest)),
  );
  const entry = pinned ?? tags.get(tag) ?? add(tag, 'local');
  entry.present_in = [...new Set([...entry.present_in, runtime])];
  entry.size_bytes ??= sizeBytes;
}

function inOrder(tags: ReadonlyMap<string, NodeImageTagDto>): NodeImageTagDto[] {
  return [...tags.values()].sort(
    (one, other) =>
      Number(other.present_in.length > 0) - Number(one.present_in.length > 0) ||
      compareVersions(other.tag, one.tag),
  );
}

/**
 * The default of kind if it is local; otherwise the newest local image, if possible one that fits. Without a local image
 * that fits, the default of kind or its newest tag that fits.
 * @param tags local ones first, then the newest
 */
function chooseDefault(tags: readonly NodeImageTagDto[], own: string | null): string | null {
  const fitting = tags.filter(({ fits, origin, present_in: holders }) =>
    isUnfit(fits) ? false : origin === 'kind' || holders.length > 0,
  );
  const present = fitting.filter(({ present_in: holders }) => holders.length > 0);
  const candidates = present.length > 0 ? present : fitting;
  return (candidates.find(({ tag }) => tag === own) ?? candidates[0] ?? tags[0])?.tag ?? own;
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
