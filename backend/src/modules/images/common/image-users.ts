import { Injectable } from '@nestjs/common';
import { fullReference, type EngineImage } from '../../../drivers/runtime/index.js';
import { imagesOf, kindConfigYaml } from '../../kind-config/index.js';
import { ClusterStore, NodeInventory } from '../../clusters/index.js';
import type { ImageUserDto } from './image.dto.js';

interface Use {
  user: ImageUserDto;
  /** Full references. */
  references: Set<string>;
  /** Image ids in the cluster's engine. */
  ids: Set<string>;
}

/** A snapshot of which clusters use which images. */
class ImageUse {
  constructor(private readonly uses: readonly Use[]) {}

  /** Matches by id in the cluster's engine, and by reference in any, because a cluster may be recreated from it. */
  of({ id, references, digests }: Pick<EngineImage, 'id' | 'references' | 'digests'>): ImageUserDto[] {
    const names = [...references, ...digests].map(fullReference);
    return this.uses
      .filter((use) => use.ids.has(id) || names.some((name) => use.references.has(name)))
      .map(({ user }) => user);
  }
}

/** Reads which images clusters use: the images of their nodes, and those of their saved configs. */
@Injectable()
export class ImageUsers {
  constructor(
    private readonly inventory: NodeInventory,
    private readonly store: ClusterStore,
  ) {}

  async read(): Promise<ImageUse> {
    const [engines, metas] = await Promise.all([this.inventory.read(), this.store.list()]);
    const uses = new Map<string, Use>();
    const useOf = (name: string, runtime: string): Use => {
      const key = `${runtime}/${name}`;
      const use = uses.get(key) ?? { user: { name, runtime }, references: new Set(), ids: new Set() };
      uses.set(key, use);
      return use;
    };
    for (const { runtime, nodes } of engines) {
      for (const node of nodes) {
        const use = useOf(node.cluster, runtime);
        for (const name of spellings(node.image)) use.references.add(name);
        if (node.imageId !== null) use.ids.add(node.imageId);
      }
    }
    for (const meta of metas) {
      const use = useOf(meta.name, meta.runtime);
      const config = (await this.store.readConfig(meta).catch(() => undefined)) ?? '';
      const { parsed } = await kindConfigYaml.parseKindConfig(config);
      for (const image of parsed ? imagesOf(parsed.config) : []) {
        for (const name of spellings(image)) use.references.add(name);
      }
    }
    return new ImageUse([...uses.values()]);
  }
}

/** `name:tag@digest` matches by its tag and by its digest. */
function spellings(image: string): string[] {
  if (image === '' || /^(sha256:)?[0-9a-f]{12,64}$/.test(image)) return [];
  return [fullReference(image), fullReference(image.split('@')[0] ?? image)];
}
