import {
  afterNextRender,
  afterRenderEffect,
  Component,
  computed,
  type ElementRef,
  inject,
  input,
  output,
  signal,
  untracked,
  viewChildren,
} from '@angular/core';
import type { TimeMode } from '../../../shared/lines/line-time';
import { ViewOptions } from '../../../shared/lines/view-options';
import { Clock } from '../../../shared/live/clock';
import { Icon } from '../../../shared/ui/icon';
import { type LogQuery, moment } from './log-query';
import { fieldText, fieldTime } from './typed-time';

export type Period = Pick<LogQuery, 'from' | 'to'>;

const ENDS = ['from', 'to'] as const;
type End = (typeof ENDS)[number];
type Complaints = Readonly<Record<End, string>>;

const NONE: Complaints = { from: '', to: '' };
const NO_TIME = $localize`Enter a date with hours, minutes and seconds.`;
const OUT_OF_REACH = $localize`Enter a year from 1970 to 9999.`;
const NOT_AFTER = $localize`Must be after From.`;

/**
 * Both ends of a period, typed in the zone that the rows show. The fields are written only when the period or the zone
 * is another one: a browser that is told its own value anew forgets the half of a time that somebody is at.
 */
@Component({
  selector: 'sw-period-form',
  imports: [Icon],
  templateUrl: './period-form.html',
  styleUrl: './period-form.scss',
  host: { '(keydown.escape)': 'escape($event)' },
})
export class PeriodForm {
  private readonly options = inject(ViewOptions);
  private readonly now = inject(Clock).now;
  readonly from = input.required<string | null>();
  readonly to = input.required<string | null>();
  readonly changed = output<Period>();
  readonly closed = output();

  private readonly fields = viewChildren<ElementRef<HTMLInputElement>>('field');
  protected readonly ends = ENDS;
  protected readonly labels = { from: $localize`From`, to: $localize`To` };
  protected readonly zone = computed(() => (this.options.time() === 'utc' ? 'UTC' : $localize`local time`));
  protected readonly complaints = signal(NONE);

  private given: Period = { from: null, to: null };
  private mode: TimeMode = this.options.time();
  /** What was written into a field, and the time that it stands for, which may be finer. */
  private readonly written = { from: { text: '', time: '' }, to: { text: '', time: '' } };

  constructor() {
    afterRenderEffect(() => {
      const given = { from: this.from(), to: this.to() };
      const mode = this.options.time();
      untracked(() => this.show(given, mode));
    });
    afterNextRender(() => this.fieldOf('from').focus());
  }

  protected apply(event: Event): void {
    event.preventDefault();
    const [from, to] = [this.read('from'), this.read('to')];
    const complaints = { from: complaintOf(from), to: complaintOf(to) };
    if (from && to && Date.parse(to) <= Date.parse(from)) complaints.to ||= NOT_AFTER;
    this.complaints.set(complaints);
    const bad = ENDS.find((end) => complaints[end] !== '');
    if (bad) {
      this.fieldOf(bad).focus();
      return;
    }
    this.changed.emit({ from: from || null, to: to || null });
    this.closed.emit();
  }

  protected clear(): void {
    for (const end of ENDS) this.write(end, null);
    this.complaints.set(NONE);
    if (this.from() !== null || this.to() !== null) this.changed.emit({ from: null, to: null });
    this.fieldOf('from').focus();
  }

  /** Typing takes back what was said about a field; what is said of To may be From's doing. */
  protected type(end: End): void {
    this.complaints.update(({ from }) => ({ from: end === 'from' ? '' : from, to: '' }));
  }

  protected escape(event: Event): void {
    event.stopPropagation();
    this.closed.emit();
  }

  private show(given: Period, mode: TimeMode): void {
    for (const end of ENDS) {
      if (given[end] !== this.given[end]) {
        const time = given[end];
        this.complaints.set(NONE);
        this.write(end, time === null ? null : wholeTime(time, this.now()), mode);
      } else if (mode !== this.mode) {
        const time = this.read(end);
        if (complaintOf(time) === '' && time !== '') this.write(end, time, mode);
      }
    }
    this.given = given;
    this.mode = mode;
  }

  private write(end: End, time: string | null, mode = this.mode): void {
    const field = this.fieldOf(end);
    const at = time === null ? NaN : Date.parse(time);
    field.value = Number.isNaN(at) ? '' : fieldText(at, mode);
    // Browsers shorten it: what they made of it is what is compared.
    this.written[end] = { text: field.value, time: time ?? '' };
  }

  /** RFC 3339, '' for an empty field, null for what is no time. */
  private read(end: End): string | null {
    const { value, validity } = this.fieldOf(end);
    if (validity.badInput) return null;
    const { text, time } = this.written[end];
    if (value === '' || value === text) return value && time;
    const at = fieldTime(value, this.mode);
    return Number.isNaN(at) ? null : new Date(at).toISOString();
  }

  private fieldOf(end: End): HTMLInputElement {
    const field = this.fields()[ENDS.indexOf(end)];
    if (!field) throw new Error(`the form has no field ${end}`);
    return field.nativeElement;
  }
}

function complaintOf(time: string | null): string {
  if (time === null) return NO_TIME;
  return time === '' || /^(?:19[7-9]\d|[2-9]\d{3})-/.test(time) ? '' : OUT_OF_REACH;
}

/** A time as RFC 3339; how long ago becomes the second that it was at. */
function wholeTime(time: string, now: number): string {
  if (time.includes('T')) return time;
  return new Date(Math.floor(moment(time, now) / 1_000_000) * 1000).toISOString();
}
