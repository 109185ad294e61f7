interface Due {
  at: number;
  run: () => void;
}

/** Longer waits than this one are cut by setTimeout itself. */
const LONGEST_WAIT_MS = 2_000_000_000;

/**
 * What will happen in a cluster, and when. Nothing runs by itself while nobody looks: whoever asks plays what
 * has become due since, at the times at which it did; only a watch lets it happen as time goes.
 */
export class Timeline {
  private readonly due: Due[] = [];
  private clock: number;
  private followers = 0;
  private timer: NodeJS.Timeout | undefined;
  private playing = false;
  private settle: () => void = () => undefined;

  /** @param speed how many seconds of demo time pass in one */
  constructor(
    begin: number,
    private readonly speed: number,
  ) {
    this.clock = begin;
  }

  /** Milliseconds; while what is due is played, the time at which it was. */
  get now(): number {
    return this.clock;
  }

  /** RFC 3339 in whole seconds, as Kubernetes writes times. */
  get time(): string {
    return wholeSeconds(this.clock);
  }

  /** Runs after everything that is due at one moment. */
  onMoment(settle: () => void): void {
    this.settle = settle;
  }

  /** Runs something after seconds of demo time. */
  after(seconds: number, run: () => void): void {
    this.at(this.clock + (seconds * 1000) / this.speed, run);
  }

  at(at: number, run: () => void): void {
    const due = { at: Math.max(at, this.clock), run };
    let index = this.due.length;
    this.due.push(due);
    // A heap: a cluster of ten thousand pods has as many things to come.
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = this.due[parent];
      if (above === undefined || above.at <= due.at) break;
      this.due[index] = above;
      index = parent;
    }
    this.due[index] = due;
    if (this.followers > 0 && !this.playing && index === 0) this.wait();
  }

  /** Plays everything that is due by now. */
  advance(): void {
    if (this.playing) return;
    this.playing = true;
    try {
      for (let next = this.due[0]; next !== undefined && next.at <= Date.now(); next = this.due[0]) {
        this.drop();
        this.clock = Math.max(this.clock, next.at);
        next.run();
        if (this.due[0]?.at !== next.at) this.settle();
      }
      this.clock = Math.max(this.clock, Date.now());
    } finally {
      this.playing = false;
    }
  }

  /** Lets things happen as they become due. @returns how to stop it */
  follow(): () => void {
    this.followers += 1;
    this.wait();
    let following = true;
    return () => {
      if (!following) return;
      following = false;
      this.followers -= 1;
      if (this.followers === 0) clearTimeout(this.timer);
    };
  }

  private wait(): void {
    clearTimeout(this.timer);
    const [next] = this.due;
    if (next === undefined) return;
    const wait = Math.min(Math.max(next.at - Date.now(), 0), LONGEST_WAIT_MS);
    this.timer = setTimeout(() => {
      this.advance();
      if (this.followers > 0) this.wait();
    }, wait).unref();
  }

  private drop(): void {
    const last = this.due.pop();
    if (last === undefined || this.due.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const [left, right] = [this.due[child], this.due[child + 1]];
      if (left === undefined) break;
      if (right !== undefined && right.at < left.at) child += 1;
      const least = this.due[child];
      if (least === undefined || least.at >= last.at) break;
      this.due[index] = least;
      index = child;
    }
    this.due[index] = last;
  }
}

export function wholeSeconds(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
