/**
 * The inner loop of `LiteralScan` as WebAssembly, for its instructions that compare sixteen bytes at once. It is
 * written down here instruction by instruction, so that no compiler and no binary file is needed.
 *
 *     next(at, end, needle) → where the needle begins at `at` or later and ends by `end`, or -1
 *
 * It compares a needle's first and last byte in sixteen places at once, and the rest only where both are right. A mask
 * is set in each byte before it is compared: 32 makes an ASCII letter small.
 */
export const NEEDLE = {
  /** Vectors: the first byte sixteen times, its mask, the last byte, its mask. */
  first: 0,
  firstMask: 16,
  last: 32,
  lastMask: 48,
  length: 64,
  bytes: 128,
  masks: 384,
  /** Of the whole description. */
  size: 640,
  mostBytes: 256,
} as const;

const I32 = 0x7f;
const V128 = 0x7b;

/** A number as the format has it, seven bits a byte; none here is negative or as large as its sign would need. */
function number(value: number): number[] {
  return value < 64 ? [value] : [(value & 127) | 128, ...number(value >> 7)];
}

const section = (id: number, ...content: number[]): number[] => [id, ...number(content.length), ...content];
const text = (name: string): number[] => [name.length, ...Buffer.from(name, 'latin1')];

// Parameters and locals of the function, by their numbers.
const [AT, END, NEEDLE_AT, LENGTH, STOP, BITS, PLACE, INDEX, LAST_AT, FIRST, FIRST_MASK, LAST, LAST_MASK] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
];

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const constant = (value: number): number[] => [0x41, ...number(value)];
const load32 = (offset: number): number[] => [0x28, 0, ...number(offset)];
const load8 = (offset: number): number[] => [0x2d, 0, ...number(offset)];
const loadVector = (offset: number): number[] => [0xfd, 0x00, 0, ...number(offset)];
const add = [0x6a];
const subtract = [0x6b];
const and = [0x71];
const or = [0x72];
const isZero = [0x45];
const isOther = [0x47];
const isMore = [0x4a];
const isAtLeast = [0x4e];
const lowestBit = [0x68];
const vectorEqual = [0xfd, 0x23];
const vectorAnd = [0xfd, 0x4e];
const vectorOr = [0xfd, 0x50];
const vectorBits = [0xfd, 0x64];
const block = (...body: number[][]): number[] => [0x02, 0x40, ...body.flat(), 0x0b];
const loop = (...body: number[][]): number[] => [0x03, 0x40, ...body.flat(), 0x0b];
const when = (...body: number[][]): number[] => [0x04, 0x40, ...body.flat(), 0x0b];
/** Leaves blocks, the innermost is 0; a loop is begun again. */
const leave = (depth: number): number[] => [0x0c, depth];
const leaveIf = (depth: number): number[] => [0x0d, depth];
const answer = [0x0f];

const sixteen = (place: number[], first: number, mask: number): number[] =>
  [place, loadVector(0), get(mask), vectorOr, get(first), vectorEqual].flat();

const compareRest = loop(
  [get(INDEX), get(LENGTH), isAtLeast, when(get(PLACE), answer)].flat(),
  [get(PLACE), get(INDEX), add, load8(0)].flat(),
  [get(NEEDLE_AT), get(INDEX), add, load8(NEEDLE.masks), or].flat(),
  [get(NEEDLE_AT), get(INDEX), add, load8(NEEDLE.bytes), isOther, leaveIf(1)].flat(),
  [get(INDEX), constant(1), add, set(INDEX), leave(0)].flat(),
);

const body = [
  [get(NEEDLE_AT), loadVector(NEEDLE.first), set(FIRST)],
  [get(NEEDLE_AT), loadVector(NEEDLE.firstMask), set(FIRST_MASK)],
  [get(NEEDLE_AT), loadVector(NEEDLE.last), set(LAST)],
  [get(NEEDLE_AT), loadVector(NEEDLE.lastMask), set(LAST_MASK)],
  [get(NEEDLE_AT), load32(NEEDLE.length), set(LENGTH)],
  [get(LENGTH), constant(1), subtract, set(LAST_AT)],
  [get(END), get(LENGTH), subtract, set(STOP)],
  [
    block(
      loop(
        [get(AT), get(STOP), isMore, leaveIf(1)].flat(),
        sixteen(get(AT), FIRST, FIRST_MASK),
        sixteen([get(AT), get(LAST_AT), add].flat(), LAST, LAST_MASK),
        [vectorAnd, vectorBits, set(BITS)].flat(),
        block(
          loop(
            [get(BITS), isZero, leaveIf(1)].flat(),
            [get(AT), get(BITS), lowestBit, add, set(PLACE)].flat(),
            [get(PLACE), get(STOP), isMore, leaveIf(3)].flat(),
            [get(BITS), get(BITS), constant(1), subtract, and, set(BITS)].flat(),
            [constant(0), set(INDEX)].flat(),
            block(compareRest),
            leave(0),
          ),
        ),
        [get(AT), constant(16), add, set(AT), leave(0)].flat(),
      ),
    ),
  ],
  // -1, the only negative number.
  [[0x41, 0x7f], [0x0b]],
].flat(2);

const locals = [2, 6, I32, 4, V128];

/** A module that imports `memory` of `memory`, and exports `next`. */
export const LITERAL_SCAN_CODE = Uint8Array.from(
  [
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, 1, 0x60, 3, I32, I32, I32, 1, I32),
    section(2, 1, ...text('memory'), ...text('memory'), 2, 0, 1),
    section(3, 1, 0),
    section(7, 1, ...text('next'), 0, 0),
    section(10, 1, ...number(locals.length + body.length), ...locals, ...body),
  ].flat(),
);
