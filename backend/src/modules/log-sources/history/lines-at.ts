import type { WantedLines } from './search-messages.js';

/** Lines that a thread is at, and in which piece of its task they are. */
export interface LinesAt extends WantedLines {
  unit: number;
}

const NUMBERS = 4;

/** Where a thread is, in memory that it shares: who ends it knows what it did not come to an end with. */
export class LinesAtBoard {
  constructor(
    readonly numbers = new Float64Array(new SharedArrayBuffer(NUMBERS * Float64Array.BYTES_PER_ELEMENT)),
  ) {}

  write(unit: number, { source, from, to }: WantedLines): void {
    this.numbers[0] = unit;
    this.numbers[1] = source;
    this.numbers[2] = from;
    this.numbers[3] = to;
  }

  clear(): void {
    this.numbers.fill(0);
  }

  /** Null where it is at none. */
  read(): LinesAt | null {
    const [unit = 0, source = 0, from = 0, to = 0] = this.numbers;
    return from < to ? { unit, source, from, to } : null;
  }
}
