/** More than what waits in the buffers of streams. A block that is never released is left to the garbage collector. */
const MAX_LENT = 8;
const owners = new WeakMap<ArrayBufferLike, ReusedMemory>();

/**
 * Collects small pieces into large chunks, in blocks that are used again: each 32 MB of new buffers cost a collection of
 * all garbage.
 */
export class ReusedMemory {
  /** In the order of their data. The last one is being filled. */
  private lent: Buffer[] = [];
  private readonly spare: Buffer[] = [];
  private block: Buffer = Buffer.alloc(0);
  private start = 0;
  private end = 0;

  constructor(
    private readonly blockSize: number,
    private readonly pass: (chunk: Buffer) => void,
  ) {}

  /** Copies it. Passes the chunk when a block is full. */
  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      if (this.end === this.block.length) this.take();
      const copied = bytes.copy(this.block, this.end, at);
      at += copied;
      this.end += copied;
      if (this.end === this.block.length) this.flush();
    }
  }

  /** Passes what was added since the last chunk. */
  flush(): void {
    if (this.end === this.start) return;
    const chunk = this.block.subarray(this.start, this.end);
    this.start = this.end;
    this.pass(chunk);
  }

  reclaimBefore(memory: ArrayBufferLike): void {
    const index = this.lent.findIndex(({ buffer }) => buffer === memory);
    if (index > 0) this.spare.push(...this.lent.splice(0, index));
  }

  private take(): void {
    this.block = this.spare.pop() ?? Buffer.allocUnsafeSlow(this.blockSize);
    owners.set(this.block.buffer, this);
    this.lent = [...this.lent.slice(1 - MAX_LENT), this.block];
    this.start = 0;
    this.end = 0;
  }
}

/** For a consumer that uses chunks in order: this one and all before it are not needed any more. */
export function release(chunk: Buffer): void {
  owners.get(chunk.buffer)?.reclaimBefore(chunk.buffer);
}
