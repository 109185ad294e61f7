import { Pace } from './pace.js';

const TIDY_AFTER_MS = 20;
/** After opening, first pages come before. */
const FIRST_TIDY_MS = 2000;
/**
 * Bytes a second from which on lines are only taken in, as far as there is room. At 50,000 lines of some 110 bytes a
 * second that takes 2 % of a core here; to put them in order takes 8 %, and to compress them as well 24 %, and memory.
 */
const FLOOD = 500_000;
const CALM_AGAIN_MS = 500;

/** What is tidied, as far as it matters when. */
export interface Tidied {
  /** Whether it can wait. */
  readonly hasRoom: boolean;
  /** Whether so much is to be given back that it is what the next step does. */
  readonly isWasteful: boolean;
  /** One step. @returns whether there may be more. */
  tidy: () => boolean;
}

/** Decides when the owner tidies: between requests, later in a flood of lines, and at once where there is no room. */
export class Tidying {
  private readonly pace = new Pace();
  private readonly begun = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private due = Infinity;

  constructor(private readonly owner: Tidied) {
    this.stepIn(FIRST_TIDY_MS);
  }

  /** A request was done. @param written bytes of lines that it wrote */
  after(written: number): void {
    this.pace.note(written, performance.now());
    // Not by a timer: those wait until no request is left, and each of them may take more.
    if (this.owner.isWasteful) this.owner.tidy();
    this.stepIn(this.owner.hasRoom ? TIDY_AFTER_MS : 0);
  }

  end(): void {
    clearTimeout(this.timer);
  }

  /** Sooner than it was to be, or not at all. */
  private stepIn(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (at >= this.due) return;
    clearTimeout(this.timer);
    this.due = at;
    this.timer = setTimeout(() => this.step(), milliseconds);
  }

  private step(): void {
    this.due = Infinity;
    clearTimeout(this.timer);
    const now = performance.now();
    const isBusy = now - this.begun < FIRST_TIDY_MS || this.pace.perSecond(now) > FLOOD;
    if (isBusy && this.owner.hasRoom) this.stepIn(CALM_AGAIN_MS);
    else if (this.owner.tidy()) this.stepIn(TIDY_AFTER_MS);
  }
}
