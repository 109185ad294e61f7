/** One measured goal: what was measured, what it must not exceed, and the figure that decides. */
export class Figure {
  /**
   * @param title what a person reads.
   * @param unit of every value: `ms`, `kB`, `MB`, or `×` for a ratio.
   * @param goal the most that the deciding figure may be.
   * @param decides how the deciding figure follows from the values: `median`, `p95` or `p99`.
   */
  constructor({ title, unit, goal, decides = 'median', values, versus = undefined }) {
    if (values.length === 0) throw new Error(`${title}: nothing was measured`);
    const sorted = [...values].sort((one, other) => one - other);
    this.title = title;
    this.unit = unit;
    this.goal = goal;
    this.decides = decides;
    this.versus = versus;
    this.n = sorted.length;
    this.median = quantile(sorted, 0.5);
    this.p95 = quantile(sorted, 0.95);
    this.p99 = quantile(sorted, 0.99);
    this.least = sorted[0];
    this.most = sorted.at(-1);
    this.met = this[decides] <= goal;
  }

  describe() {
    const show = (value) => `${round(value)} ${this.unit}`;
    return [
      this.met ? 'met   ' : 'MISSED',
      `${this.title}: ${this.decides} ${show(this[this.decides])} (goal ≤ ${show(this.goal)})`,
      `n ${this.n}, median ${show(this.median)}, p95 ${show(this.p95)}, p99 ${show(this.p99)}, from ${round(this.least)} to ${show(this.most)}`,
      ...(this.versus ? [this.versus] : []),
    ].join('; ');
  }
}

/** A quantile of sorted values with linear interpolation. */
export function quantile(sorted, share) {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

export function medianOf(values) {
  return quantile(
    [...values].sort((one, other) => one - other),
    0.5,
  );
}

export function p95Of(values) {
  return quantile(
    [...values].sort((one, other) => one - other),
    0.95,
  );
}

function round(value) {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
