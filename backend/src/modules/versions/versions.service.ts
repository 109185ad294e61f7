import { Injectable } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { DomainError } from '../../core/errors/index.js';
import { NODE_IMAGE_TAG } from '../../core/security/index.js';
import { ProvisionerSelector } from '../../drivers/provisioner/index.js';
import { RuntimeRegistry, type LocalImage, type RuntimeDriver } from '../../drivers/runtime/index.js';
import type { NodeImageTagDto, VersionsDto } from './version.dto.js';

/** Which Kubernetes versions a cluster can have: what kind was made with, and what is on this machine. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly configuration: Configuration,
    private readonly runtimes: RuntimeRegistry,
    private readonly provisioners: ProvisionerSelector,
  ) {}

  async read(): Promise<VersionsDto> {
    const available = this.runtimes.available();
    const active = this.runtimes.active();
    const [provisioner] = this.provisioners.all();
    const status = await (active ? this.provisioners.for(active) : provisioner)?.status();
    const tags = new Map<string, NodeImageTagDto>();
    for (const tag of status?.fittingTags ?? []) tags.set(tag, this.entry(tag, 'kind'));
    const found = await Promise.all(
      available.map(async (runtime) => ({ runtime: runtime.id, images: await this.localImages(runtime) })),
    );
    for (const { runtime, images } of found) {
      for (const image of images) this.addLocal(tags, runtime, image);
    }
    const sorted = [...tags.values()].sort(
      (one, other) =>
        Number(other.present_in.length > 0) - Number(one.present_in.length > 0) ||
        compareVersions(other.tag, one.tag),
    );
    return {
      default_tag: this.chooseDefault(sorted, status?.defaultTag ?? null),
      provisioner: status?.name ?? 'kind',
      provisioner_version: status?.version ?? null,
      tags: sorted,
    };
  }

  private addLocal(
    tags: Map<string, NodeImageTagDto>,
    runtime: string,
    { reference, digests, sizeBytes }: LocalImage,
  ): void {
    const tag = reference.slice(reference.lastIndexOf(':') + 1);
    if (!NODE_IMAGE_TAG.test(tag)) return;
    // kind pins its own image by digest; the same digest on this machine is that very image.
    const pinned = [...tags.values()].find(
      (entry) => entry.tag.startsWith(`${tag}@`) && digests.some((digest) => entry.tag.endsWith(digest)),
    );
    const entry = pinned ?? tags.get(tag) ?? this.entry(tag, 'local');
    entry.present_in = [...new Set([...entry.present_in, runtime])];
    entry.size_bytes ??= sizeBytes;
    tags.set(entry.tag, entry);
  }

  /** kind's own where it is here or nothing is; otherwise the newest that needs no pull. */
  private chooseDefault(tags: readonly NodeImageTagDto[], own: string | null): string | null {
    const present = tags.filter((entry) => entry.present_in.length > 0);
    if (present.some((entry) => entry.tag === own)) return own;
    return present[0]?.tag ?? own;
  }

  private async localImages(runtime: RuntimeDriver): Promise<LocalImage[]> {
    try {
      return await runtime.listImages(this.configuration.values.nodeImageRepository);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'runtime_unavailable') throw error;
      // The list is a help and must not fail with one engine.
      this.runtimes.report(runtime.id, error);
      return [];
    }
  }

  private entry(tag: string, origin: 'kind' | 'local'): NodeImageTagDto {
    return {
      tag,
      image: `${this.configuration.values.nodeImageRepository}:${tag}`,
      origin,
      present_in: [],
      size_bytes: null,
    };
  }
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
