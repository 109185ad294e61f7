import { Block } from './block.js';
import { BlockStore } from './block.store.js';
import type { KnownBlock } from './source-blocks.js';

/** Text of the blocks that stay in memory after they were read. */
const CACHE_BYTES = 8 * 1024 * 1024;

/** Reads blocks for pages. The blocks read last stay in memory, because pages of a merge read the same ones again. */
export class BlockReader {
  private store: BlockStore | undefined;
  private readonly cache = new Map<string, Block>();
  private cachedBytes = 0;

  constructor(private readonly path: string) {}

  /** The block that has a known block's first line. Undefined if it was deleted since, or is damaged. */
  read(known: KnownBlock): Block | undefined {
    if (known.data) return new Block(known, known.data);
    const key = `${known.source}/${known.firstSeq}`;
    const cached = this.cache.get(key);
    if (cached) this.remove(key, cached);
    // One that was read before a merge has not all lines of the known block.
    const block = cached && cached.info.endSeq >= known.endSeq ? cached : this.load(known);
    if (block) this.keep(key, block);
    return block;
  }

  /** Opens the file again, because another one may be in its place. */
  reset(): void {
    this.store?.close();
    this.store = undefined;
    this.cache.clear();
    this.cachedBytes = 0;
  }

  private load({ source, firstSeq }: KnownBlock): Block | undefined {
    try {
      this.store ??= BlockStore.openReader(this.path);
      const [found] = this.store.find(source, firstSeq, firstSeq + 1);
      return found && this.store.read(found);
    } catch {
      return undefined;
    }
  }

  private keep(key: string, block: Block): void {
    this.cache.set(key, block);
    this.cachedBytes += block.text.length;
    for (const [oldest, cached] of this.cache) {
      if (this.cachedBytes <= CACHE_BYTES || oldest === key) return;
      this.remove(oldest, cached);
    }
  }

  private remove(key: string, { text }: Block): void {
    this.cache.delete(key);
    this.cachedBytes -= text.length;
  }
}
