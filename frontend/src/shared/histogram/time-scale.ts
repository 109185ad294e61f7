import type { HistogramDto } from '../api/api-types';
import { MONTHS } from '../format/format';
import { microseconds } from '../lines/log-line';
import { fullTime, type TimeMode } from '../lines/line-time';

/** Microseconds, as all times here. */
const MILLISECOND = 1000;
const SECOND = 1000 * MILLISECOND;
const MINUTE = 60 * SECOND;
const DATES_ONLY = 14 * 24 * 60 * MINUTE;

/** Intervals between ticks; fewer for few bars. */
const PARTS = 6;
const FEW_PARTS = 3;

/** Formats times of a histogram in the time zone of the rows, as short as they stay distinct. */
export class TimeScale {
  private readonly starts: readonly number[];

  /** @param today from `lineDay` */
  constructor(
    private readonly histogram: HistogramDto,
    private readonly mode: TimeMode,
    private readonly today: string,
  ) {
    this.starts = histogram.buckets.map(({ time }) => microseconds(time));
  }

  /** Evenly spaced labels from one end to the other, in one format. */
  ticks(): string[] {
    const last = this.starts.length - 1;
    const parts = Math.min(last, last < PARTS ? FEW_PARTS : PARTS);
    const marked = Array.from({ length: parts + 1 }, (_, part) =>
      parts === 0 ? 0 : Math.round((part / parts) * last),
    ).flatMap((index) => this.starts[index] ?? []);
    const [first = 0] = marked;
    const span = (marked.at(-1) ?? first) - first;
    const days = marked.map((time) => this.dayOf(time));
    const hasYears = new Set(days.map((day) => day.slice(0, 4))).size > 1;
    if (span >= DATES_ONLY) return days.map((day) => dayLabel(day, hasYears));
    const hasDays = new Set(days).size > 1;
    const step = parts === 0 ? MINUTE : span / parts;
    return marked.map((time, index) => {
      const clock = this.clockOf(time, step);
      return hasDays ? `${dayLabel(days[index] ?? '', false)} ${clock}` : clock;
    });
  }

  /** With the date unless all bars are of today. */
  moment(time: string): string {
    const at = microseconds(time);
    const day = this.dayOf(at);
    const clock = this.barClock(at);
    return day === this.today && this.hasOneDay() ? clock : `${day} ${clock}`;
  }

  span(): string {
    const { from, to } = this.histogram;
    const isOfOneDay = this.dayOf(microseconds(from)) === this.dayOf(microseconds(to));
    const end = isOfOneDay ? this.barClock(microseconds(to)) : this.moment(to);
    return $localize`${this.moment(from)}:start: to ${end}:end:`;
  }

  private hasOneDay(): boolean {
    const { from } = this.histogram;
    return this.dayOf(microseconds(from)) === this.dayOf(this.starts.at(-1) ?? microseconds(from));
  }

  /** With seconds, or finer if the bars are. */
  private barClock(time: number): string {
    return this.clockOf(time, Math.min(this.histogram.bucket_seconds * SECOND, SECOND));
  }

  private clockOf(time: number, step: number): string {
    const [, clock = ''] = this.partsOf(time);
    if (step >= MINUTE) return clock.slice(0, 'hh:mm'.length);
    if (step >= SECOND) return clock.slice(0, 'hh:mm:ss'.length);
    return step >= MILLISECOND ? clock.slice(0, 'hh:mm:ss.mmm'.length) : clock;
  }

  private dayOf(time: number): string {
    return this.partsOf(time)[0] ?? '';
  }

  private partsOf(time: number): string[] {
    return fullTime(time, this.mode === 'utc').split(' ');
  }
}

/** `9 Nov` or `9 Nov 2026`. @param day as `2026-11-09` */
function dayLabel(day: string, hasYear: boolean): string {
  const [year, month, date] = day.split('-').map(Number);
  const text = `${date ?? ''} ${MONTHS[(month ?? 1) - 1] ?? ''}`;
  return hasYear ? `${text} ${year ?? ''}` : text;
}
