import { Component, computed, inject, input, output, signal } from '@angular/core';
import { Api } from '../api/api';
import { Clock } from '../browser/clock';
import { formatCount, formatElapsed } from '../format/format';
import { lineDay } from '../lines/line-time';
import { ViewOptions } from '../lines/view-options';
import { ApiResource } from '../loading/api-resource';
import { filterParameters, type LogQuery, type SearchScope } from '../search/log-query';
import { barsOf, bucketLabel, highestOf, periodOf, sumsOf } from './bars';
import { TimeScale } from './time-scale';

const BUCKETS = 90;

/** Line counts over time by level. A range is selected by dragging or with keys. */
@Component({
  selector: 'sw-histogram',
  templateUrl: './histogram-bar.html',
  styleUrl: './histogram-bar.scss',
  host: { class: 'block line-below' },
})
export class HistogramBar {
  private readonly api = inject(Api);
  private readonly options = inject(ViewOptions);
  private readonly now = inject(Clock).now;
  readonly query = input.required<LogQuery>();
  readonly sources = input.required<SearchScope>();
  readonly version = input(0);
  readonly period = output<{ from: string; to: string }>();

  private readonly read = new ApiResource(
    async ({ query, sources }, signal) => {
      if (sources?.length === 0) return null;
      const params = { ...filterParameters(query, sources), buckets: BUCKETS };
      return await this.api.get('/api/histogram', params, signal).catch(() => null);
    },
    () => ({ query: this.query(), sources: this.sources() }),
    { reloadOn: this.version },
  );
  protected readonly shown = this.read.value;
  /** The space is kept, also after a failure, so that the lines below stay in place. */
  protected readonly isFirstRead = computed(
    () => this.shown() === null && (this.read.isLoading() || this.sources()?.length === 0),
  );
  private readonly today = computed(() => lineDay(this.now() * 1000, this.options.time()));
  private readonly scale = computed(() => {
    const shown = this.shown();
    return shown ? new TimeScale(shown, this.options.time(), this.today()) : null;
  });
  protected readonly bars = computed(() => {
    const shown = this.shown();
    return shown ? barsOf(shown) : [];
  });
  /** The number of lines at the top of the axis. */
  protected readonly highest = computed(() => {
    const shown = this.shown();
    return shown ? highestOf(shown) : 0;
  });
  protected readonly sums = computed(() => {
    const shown = this.shown();
    return shown ? sumsOf(shown) : null;
  });
  protected readonly ticks = computed(() => this.scale()?.ticks() ?? []);
  protected readonly tickSize = computed(() => {
    const [{ length } = ''] = this.ticks();
    if (length <= 'hh:mm'.length + 1) return null;
    return length <= '30 Nov hh:mm'.length ? 'long' : 'longest';
  });
  protected readonly formatCount = formatCount;
  private readonly from = signal<number | null>(null);
  private readonly to = signal<number | null>(null);
  private readonly hovered = signal<number | null>(null);
  private isDragging = false;
  protected readonly brush = computed(() => {
    const from = this.from();
    const to = this.to();
    const shown = this.shown();
    if (from === null || to === null || !shown) return null;
    const first = Math.min(from, to);
    const count = Math.abs(to - from) + 1;
    return {
      left: (first / shown.buckets.length) * 100,
      width: (count / shown.buckets.length) * 100,
      text: formatElapsed(count * shown.bucket_seconds * 1000),
    };
  });
  protected readonly text = computed(() => this.textOf(this.to()) ?? this.scale()?.span() ?? '');
  /** The values of the bar under the pointer, or of the last one that keys chose. */
  protected readonly readout = computed(() => {
    const at = this.hovered() ?? this.to();
    const text = this.textOf(at);
    return at === null || text === null ? null : { text, left: ((at + 0.5) / this.bars().length) * 100 };
  });

  protected down(event: PointerEvent): void {
    if (event.button !== 0) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.isDragging = true;
    this.from.set(this.bucketAt(event));
    this.to.set(this.from());
  }

  protected drag(event: PointerEvent): void {
    const at = this.bucketAt(event);
    this.hovered.set(at);
    if (this.isDragging) this.to.set(at);
  }

  protected leave(): void {
    this.hovered.set(null);
  }

  protected up(): void {
    if (!this.isDragging) return;
    this.isDragging = false;
    this.choose();
  }

  protected cancel(): void {
    this.isDragging = false;
    this.from.set(null);
    this.to.set(null);
  }

  protected press(event: KeyboardEvent): void {
    const last = this.bars().length - 1;
    const at = this.to() ?? last;
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      PageUp: at - 10,
      PageDown: at + 10,
      Home: 0,
      End: last,
    };
    const next = moves[event.key];
    if (next !== undefined && last >= 0) {
      this.to.set(Math.min(last, Math.max(0, next)));
      if (!event.shiftKey || this.from() === null) this.from.set(event.shiftKey ? at : this.to());
    } else if (event.key === 'Enter') this.choose();
    else if (event.key === 'Escape' && this.from() !== null) this.cancel();
    else return;
    event.preventDefault();
  }

  private textOf(at: number | null): string | null {
    const scale = this.scale();
    const bucket = at === null ? undefined : this.shown()?.buckets[at];
    return bucket && scale ? `${scale.moment(bucket.time)}, ${bucketLabel(bucket)}` : null;
  }

  private choose(): void {
    const shown = this.shown();
    const from = this.from();
    const to = this.to();
    if (shown && from !== null && to !== null) this.period.emit(periodOf(shown, from, to));
    this.cancel();
  }

  private bucketAt(event: PointerEvent): number {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    const count = this.bars().length;
    return Math.min(count - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * count)));
  }
}
