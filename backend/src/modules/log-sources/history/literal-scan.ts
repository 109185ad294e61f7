import { LITERAL_SCAN_CODE, NEEDLE } from './literal-scan-code.js';

/** What TypeScript's library for programs without a page does not name. */
interface WebAssemblyOfNode {
  Memory: new (size: { initial: number; maximum: number }) => { buffer: ArrayBuffer };
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: { next: Next } };
}

const PAGE_BYTES = 64 * 1024;
/** More are found as quickly by one expression of all of them. */
const MOST_NEEDLES = 4;
/** The text that is looked at lies in the second page; the third is there to be read beyond its end. */
const WINDOW_AT = PAGE_BYTES;
const WINDOW_BYTES = PAGE_BYTES;
const PAGES = 3;

type Next = (at: number, end: number, needle: number) => number;

/** One of a thread: a memory takes much room among addresses, though little of it is used. */
interface Engine {
  bytes: Buffer;
  next: Next;
}

let engine: Engine | null | undefined;

/** Null on a machine that cannot do it: an old processor, or no room for a memory. The slower way finds the same. */
function engineOfThread(): Engine | null {
  if (engine !== undefined) return engine;
  try {
    const { Memory, Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyOfNode })
      .WebAssembly;
    const memory = new Memory({ initial: PAGES, maximum: PAGES });
    const { exports } = new Instance(new Module(LITERAL_SCAN_CODE), { memory: { memory } });
    engine = { bytes: Buffer.from(memory.buffer), next: exports.next };
  } catch {
    engine = null;
  }
  return engine;
}

/** Finds texts in bytes, several times as quickly as an expression does. ASCII letters of either case on demand. */
export class LiteralScan {
  private readonly description: Buffer;
  private readonly overlap: number;
  /** Of each text, where it is found next. */
  private readonly upcoming: Float64Array;

  /** @returns undefined for texts that it is not made for, and on a machine that cannot do it. */
  static of(needles: readonly Buffer[], matchCase: boolean): LiteralScan | undefined {
    const isFit = needles.every(({ length }) => length > 0 && length <= NEEDLE.mostBytes);
    if (!isFit || needles.length === 0 || needles.length > MOST_NEEDLES) return undefined;
    const found = engineOfThread();
    return found ? new LiteralScan(found, needles, matchCase) : undefined;
  }

  private constructor(
    private readonly engine: Engine,
    needles: readonly Buffer[],
    matchCase: boolean,
  ) {
    this.description = Buffer.concat(needles.map((needle) => describe(needle, matchCase)));
    this.overlap = Math.max(...needles.map(({ length }) => length)) - 1;
    this.upcoming = new Float64Array(needles.length);
  }

  /**
   * Tells where texts are found between two offsets, in order.
   * @param visit answers from where to go on.
   */
  each(text: Buffer, from: number, to: number, visit: (at: number) => number): void {
    const { bytes } = this.engine;
    this.description.copy(bytes);
    for (let begin = from; begin < to;) {
      const end = Math.min(begin + WINDOW_BYTES, to);
      text.copy(bytes, WINDOW_AT, begin, end);
      // What begins so late that it may reach over the end of this window is looked for in the next.
      const limit = end === to ? to : end - this.overlap;
      begin = Math.max(limit, this.eachInWindow(begin, end, limit, visit));
    }
  }

  private eachInWindow(begin: number, end: number, limit: number, visit: (at: number) => number): number {
    const { upcoming } = this;
    const { next } = this.engine;
    const shift = WINDOW_AT - begin;
    upcoming.fill(-1);
    for (let goOn = begin; ;) {
      let nearest = Infinity;
      for (let index = 0; index < upcoming.length; index += 1) {
        let at = upcoming[index] as number;
        if (at < goOn) {
          const found = goOn < end ? next(goOn + shift, end + shift, index * NEEDLE.size) : -1;
          at = found === -1 ? Infinity : found - shift;
          upcoming[index] = at;
        }
        if (at < nearest) nearest = at;
      }
      if (nearest >= limit) return goOn;
      goOn = visit(nearest);
    }
  }
}

/** What the inner loop has to know of a text. */
function describe(needle: Buffer, matchCase: boolean): Buffer {
  const description = Buffer.alloc(NEEDLE.size);
  needle.forEach((byte, index) => {
    const small = byte | 32;
    const mask = !matchCase && small >= 97 && small <= 122 ? 32 : 0;
    description[NEEDLE.bytes + index] = byte | mask;
    description[NEEDLE.masks + index] = mask;
  });
  for (const [vector, mask, index] of [
    [NEEDLE.first, NEEDLE.firstMask, 0],
    [NEEDLE.last, NEEDLE.lastMask, needle.length - 1],
  ] as const) {
    description.fill(description[NEEDLE.bytes + index] as number, vector, vector + 16);
    description.fill(description[NEEDLE.masks + index] as number, mask, mask + 16);
  }
  description.writeUInt32LE(needle.length, NEEDLE.length);
  return description;
}
