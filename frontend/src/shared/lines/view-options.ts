import { effect, Service, signal } from '@angular/core';
import { readStored, store } from '../browser/browser-storage';
import { type LineSize, SIZES } from './line-style';
import { TIME_MODES, type TimeMode } from './line-time';

const KEY = 'slipway.logs';

interface Stored {
  wrap: boolean;
  /** Lines as written, instead of the message of structured lines first. */
  raw: boolean;
  time: TimeMode;
  /** Lines of the dashboard show their time. */
  times: boolean;
  size: LineSize;
  /** Sources side by side instead of merged. */
  columns: boolean;
  histogram: boolean;
  gone: boolean;
  /** Width of the tree of sources in pixels. */
  tree: number;
}

export const TREE_WIDTH = { min: 200, usual: 268, max: 560 } as const;

@Service()
export class ViewOptions {
  private readonly stored = storedOptions();
  readonly wrap = signal(this.stored.wrap);
  readonly raw = signal(this.stored.raw);
  readonly time = signal(this.stored.time);
  readonly times = signal(this.stored.times);
  readonly size = signal(this.stored.size);
  readonly columns = signal(this.stored.columns);
  readonly histogram = signal(this.stored.histogram);
  readonly gone = signal(this.stored.gone);
  readonly tree = signal(this.stored.tree);

  constructor() {
    effect(() =>
      store(KEY, {
        wrap: this.wrap(),
        raw: this.raw(),
        time: this.time(),
        times: this.times(),
        size: this.size(),
        columns: this.columns(),
        histogram: this.histogram(),
        gone: this.gone(),
        tree: this.tree(),
      }),
    );
  }
}

/** The stored options, with defaults for invalid values. */
export function storedOptions(): Stored {
  const stored = (readStored(KEY) ?? {}) as Partial<Record<keyof Stored, unknown>>;
  return {
    wrap: stored.wrap === true,
    raw: stored.raw === true,
    time: TIME_MODES.find((mode) => mode === stored.time) ?? 'local',
    times: stored.times !== false,
    size: SIZES.find((size) => size === stored.size) ?? 'medium',
    columns: stored.columns === true,
    histogram: stored.histogram !== false,
    gone: stored.gone !== false,
    tree: treeWidth(Number(stored.tree ?? NaN)),
  };
}

/** Within its limits; the usual one for an invalid width. */
export function treeWidth(pixels: number): number {
  const { min, usual, max } = TREE_WIDTH;
  return Number.isNaN(pixels) ? usual : Math.round(Math.min(max, Math.max(min, pixels)));
}
