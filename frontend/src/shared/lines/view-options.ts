import { effect, Service, signal } from '@angular/core';
import { type LineSize, SIZES } from './line-style';
import { TIME_MODES, type TimeMode } from './line-time';

const KEY = 'slipway.logs';

interface Kept {
  wrap: boolean;
  time: TimeMode;
  size: LineSize;
  /** Sources beside each other, instead of mixed. */
  columns: boolean;
  histogram: boolean;
  /** Also sources that are gone, of which there may be many more than others. */
  gone: boolean;
}

/** How lines are shown: remembered in this browser. */
@Service()
export class ViewOptions {
  private readonly kept = readKept();
  readonly wrap = signal(this.kept.wrap);
  readonly time = signal(this.kept.time);
  readonly size = signal(this.kept.size);
  readonly columns = signal(this.kept.columns);
  readonly histogram = signal(this.kept.histogram);
  readonly gone = signal(this.kept.gone);

  constructor() {
    effect(() => {
      const kept: Kept = {
        wrap: this.wrap(),
        time: this.time(),
        size: this.size(),
        columns: this.columns(),
        histogram: this.histogram(),
        gone: this.gone(),
      };
      try {
        localStorage.setItem(KEY, JSON.stringify(kept));
      } catch {
        // Storage may be closed to us: the choice then holds until the page is left.
      }
    });
  }
}

/** What is kept, or its like where that is nothing that makes sense. */
export function readKept(): Kept {
  let kept: Partial<Record<keyof Kept, unknown>> = {};
  try {
    const parsed = JSON.parse(localStorage.getItem(KEY) ?? '{}') as unknown;
    if (typeof parsed === 'object' && parsed !== null) kept = parsed;
  } catch {
    // Closed, or not ours.
  }
  return {
    wrap: kept.wrap === true,
    time: TIME_MODES.find((mode) => mode === kept.time) ?? 'local',
    size: SIZES.find((size) => size === kept.size) ?? 'medium',
    columns: kept.columns === true,
    histogram: kept.histogram !== false,
    gone: kept.gone !== false,
  };
}
