import { monitorEventLoopDelay, type ELDHistogram } from 'node:perf_hooks';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { guardedInterval } from '../../../core/errors/index.js';
import type { EventLoopDelayDto } from './diagnostics.dto.js';

/** The last minute is six slices of 10 s, the current one included. */
const SLICE_MS = 10_000;
const SLICES = 6;
const RESOLUTION_MS = 10;

/** Measures how long work on the main thread delays everything else: requests, streams, timers. */
@Injectable()
export class EventLoopDelay implements OnApplicationShutdown {
  private readonly slices: { p99: number; endedAt: number }[] = [];
  private worst = { ms: 0, at: 0 };
  private readonly timer = guardedInterval(
    () => this.endSlice(),
    SLICE_MS,
    'measure the delay of the event loop',
  ).unref();

  constructor(
    private readonly histogram: Pick<ELDHistogram, 'max' | 'percentile' | 'reset' | 'disable'> = started(),
    private readonly now = Date.now,
  ) {}

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.histogram.disable();
  }

  endSlice(): void {
    this.read();
    const { histogram, now } = this;
    this.slices.push({ p99: delayOf(histogram.percentile(99)), endedAt: now() });
    if (this.slices.length >= SLICES) this.slices.shift();
    histogram.reset();
  }

  /** The largest p99 of the slices of the last minute, and the longest delay since the start. */
  read(): EventLoopDelayDto {
    const { histogram, now } = this;
    const longest = delayOf(histogram.max);
    if (longest > this.worst.ms) this.worst = { ms: longest, at: now() };
    const minute = this.slices.filter(({ endedAt }) => now() - endedAt < (SLICES - 1) * SLICE_MS);
    const p99 = Math.max(delayOf(histogram.percentile(99)), ...minute.map((slice) => slice.p99));
    return {
      p99_ms: p99,
      worst_ms: this.worst.ms,
      worst_at: this.worst.ms === 0 ? null : new Date(this.worst.at).toISOString(),
    };
  }
}

function started(): ELDHistogram {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return histogram;
}

/** Milliseconds of a sample in nanoseconds, which is the time between two timers. */
function delayOf(nanoseconds: number): number {
  const delay = nanoseconds / 1e6 - RESOLUTION_MS;
  return delay > 0 && Number.isFinite(delay) ? Math.round(delay * 10) / 10 : 0;
}
