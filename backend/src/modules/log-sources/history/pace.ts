/** A second ago counts a third, two seconds ago a ninth. */
const MEMORY_MS = 1000;

/** How much is written at present: bytes of about the last second. */
export class Pace {
  private bytes = 0;
  private at = 0;

  /** @param now in milliseconds, of any clock that only goes forward. */
  note(bytes: number, now: number): void {
    this.bytes = this.perSecond(now) + bytes;
    this.at = now;
  }

  perSecond(now: number): number {
    return this.bytes * Math.exp((this.at - now) / MEMORY_MS);
  }
}
