import { effect, Service, signal } from '@angular/core';
import { type LineSize, SIZES } from './line-style';
import { TIME_MODES, type TimeMode } from './line-time';

const KEY = 'slipway.logs';

interface Stored {
  wrap: boolean;
  time: TimeMode;
  size: LineSize;
  /** Sources side by side instead of merged. */
  columns: boolean;
  histogram: boolean;
  /** Show deleted sources, too. */
  gone: boolean;
}

/** View options, stored in the browser. */
@Service()
export class ViewOptions {
  private readonly stored = readStored();
  readonly wrap = signal(this.stored.wrap);
  readonly time = signal(this.stored.time);
  readonly size = signal(this.stored.size);
  readonly columns = signal(this.stored.columns);
  readonly histogram = signal(this.stored.histogram);
  readonly gone = signal(this.stored.gone);

  constructor() {
    effect(() => {
      const stored: Stored = {
        wrap: this.wrap(),
        time: this.time(),
        size: this.size(),
        columns: this.columns(),
        histogram: this.histogram(),
        gone: this.gone(),
      };
      try {
        localStorage.setItem(KEY, JSON.stringify(stored));
      } catch {
        // Storage may be blocked: the options then last until the page is reloaded.
      }
    });
  }
}

/** The stored options, with defaults for invalid values. */
export function readStored(): Stored {
  let stored: Partial<Record<keyof Stored, unknown>> = {};
  try {
    const parsed = JSON.parse(localStorage.getItem(KEY) ?? '{}') as unknown;
    if (typeof parsed === 'object' && parsed !== null) stored = parsed;
  } catch {
    // Blocked or invalid.
  }
  return {
    wrap: stored.wrap === true,
    time: TIME_MODES.find((mode) => mode === stored.time) ?? 'local',
    size: SIZES.find((size) => size === stored.size) ?? 'medium',
    columns: stored.columns === true,
    histogram: stored.histogram !== false,
    gone: stored.gone !== false,
  };
}
