import { guarded } from '../../../core/errors/index.js';
interface Step {
  at: number;
  run: () => void;
}

/**
 * The scheduled changes of a cluster. Nothing runs in the background unless a client watches: a request first runs
 * the steps that became due since the last one, each at its own time.
 */
export class Timeline {
  /** Sorted by time. */
  private readonly steps: Step[] = [];
  private clock: number;
  private followers = 0;
  private timer: NodeJS.Timeout | undefined;
  private advancing = false;
  private settle: () => void = () => undefined;

  /** @param speed seconds of demo time per second */
  constructor(
    start: number,
    private readonly speed: number,
  ) {
    this.clock = start;
  }

  /** Milliseconds. While a step runs, the time at which it was due. */
  get now(): number {
    return this.clock;
  }

  /** RFC 3339 in whole seconds, the format of Kubernetes. */
  get time(): string {
    return toSeconds(this.clock);
  }

  /** Sets what runs after all steps of one moment. */
  onMoment(settle: () => void): void {
    this.settle = settle;
  }

  /** Runs a step after seconds of demo time. */
  after(seconds: number, run: () => void): void {
    this.at(this.clock + (seconds * 1000) / this.speed, run);
  }

  at(time: number, run: () => void): void {
    const at = Math.max(time, this.clock);
    const index = this.steps.findLastIndex((step) => step.at <= at) + 1;
    this.steps.splice(index, 0, { at, run });
    if (this.followers > 0 && !this.advancing && index === 0) this.schedule();
  }

  advance(): void {
    if (this.advancing) return;
    this.advancing = true;
    try {
      for (let [next] = this.steps; next !== undefined && next.at <= Date.now(); [next] = this.steps) {
        this.steps.shift();
        this.clock = Math.max(this.clock, next.at);
        next.run();
        if (this.steps[0]?.at !== next.at) this.settle();
      }
      this.clock = Math.max(this.clock, Date.now());
    } finally {
      this.advancing = false;
    }
  }

  /** Runs steps as they become due. @returns a function that stops this */
  follow(): () => void {
    this.followers += 1;
    this.schedule();
    let following = true;
    return () => {
      if (!following) return;
      following = false;
      this.followers -= 1;
      if (this.followers === 0) clearTimeout(this.timer);
    };
  }

  private schedule(): void {
    clearTimeout(this.timer);
    const [next] = this.steps;
    if (next === undefined) return;
    const run = guarded(() => {
      try {
        this.advance();
      } finally {
        if (this.followers > 0) this.schedule();
      }
    }, 'advance the demo');
    this.timer = setTimeout(run, Math.max(0, next.at - Date.now())).unref();
  }
}

export function toSeconds(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
