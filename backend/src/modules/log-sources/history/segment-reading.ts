import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A segment that cannot be read is left alone for so long. */
const UNREADABLE_MS = 60_000;

/** Reads whole segments. One that cannot be read is tried again after a while: others are tidied meanwhile. */
export class SegmentReading {
  private readonly dueAt = new Map<string, number>();

  constructor(private readonly folder: string) {}

  /** @param now milliseconds of the process */
  isDue(file: string, now: number): boolean {
    return (this.dueAt.get(file) ?? 0) <= now;
  }

  /** @throws Error of the disk */
  read(file: string): Buffer {
    try {
      const bytes = readFileSync(join(this.folder, file));
      this.forget(file);
      return bytes;
    } catch (error) {
      this.dueAt.set(file, performance.now() + UNREADABLE_MS);
      throw error;
    }
  }

  forget(file: string): void {
    this.dueAt.delete(file);
  }
}
