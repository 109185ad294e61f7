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
import { Clock } from '../browser/clock';
import type { TimeMode } from '../lines/line-time';
import { ViewOptions } from '../lines/view-options';
import { Field } from '../ui/field/field';
import { type LogQuery, moment } from './log-query';
import { parseTimeInput, timeInputValue } from './time-input';
import { PlainButton } from '../ui/plain-button';

export type Period = Pick<LogQuery, 'from' | 'to'>;

const ENDS = ['from', 'to'] as const;
type End = (typeof ENDS)[number];

const NO_ERRORS: Readonly<Record<End, string>> = { from: '', to: '' };
const INVALID_TIME = $localize`Enter a date with hours, minutes and seconds.`;
const OUT_OF_RANGE = $localize`Enter a year from 1970 to 9999.`;
const NOT_AFTER = $localize`Must be after From.`;

/**
 * The ends of a time range, in the time zone of the rows. Inputs are set only if the range or the time zone changes:
 * setting a `datetime-local` input clears a partly typed time.
 */
@Component({
  selector: 'sw-period-form',
  imports: [Field, PlainButton],
  templateUrl: './period-form.html',
  styleUrl: './period-form.scss',
  host: { class: 'stack', '(keydown.escape)': 'escape($event)' },
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
  protected readonly errors = signal(NO_ERRORS);

  private given: Period = { from: null, to: null };
  private mode: TimeMode = this.options.time();
  /** The value set on an input, and the more precise time behind it. */
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
    const errors = { from: errorOf(from), to: errorOf(to) };
    if (from && to && Date.parse(to) <= Date.parse(from)) errors.to ||= NOT_AFTER;
    this.errors.set(errors);
    const bad = ENDS.find((end) => errors[end] !== '');
    if (bad) {
      this.fieldOf(bad).focus();
      return;
    }
    this.changed.emit({ from: from || null, to: to || null });
    this.closed.emit();
  }

  protected clear(): void {
    for (const end of ENDS) this.write(end, null);
    this.errors.set(NO_ERRORS);
    if (this.from() !== null || this.to() !== null) this.changed.emit({ from: null, to: null });
    this.fieldOf('from').focus();
  }

  /** An error of To may depend on From. */
  protected type(end: End): void {
    this.errors.update(({ from }) => ({ from: end === 'from' ? '' : from, to: '' }));
  }

  protected escape(event: Event): void {
    event.stopPropagation();
    this.closed.emit();
  }

  private show(given: Period, mode: TimeMode): void {
    for (const end of ENDS) {
      if (given[end] !== this.given[end]) {
        const time = given[end];
        this.errors.set(NO_ERRORS);
        this.write(end, time === null ? null : absoluteTime(time, this.now()), mode);
      } else if (mode !== this.mode) {
        const time = this.read(end);
        if (errorOf(time) === '' && time !== '') this.write(end, time, mode);
      }
    }
    this.given = given;
    this.mode = mode;
  }

  private write(end: End, time: string | null, mode = this.mode): void {
    const field = this.fieldOf(end);
    const at = time === null ? NaN : Date.parse(time);
    field.value = Number.isNaN(at) ? '' : timeInputValue(at, mode);
    // Browsers normalize the value.
    this.written[end] = { text: field.value, time: time ?? '' };
  }

  /** RFC 3339; empty for an empty input, null for an invalid one. */
  private read(end: End): string | null {
    const { value, validity } = this.fieldOf(end);
    if (validity.badInput) return null;
    const { text, time } = this.written[end];
    if (value === '' || value === text) return value && time;
    const at = parseTimeInput(value, this.mode);
    return Number.isNaN(at) ? null : new Date(at).toISOString();
  }

  private fieldOf(end: End): HTMLInputElement {
    const field = this.fields()[ENDS.indexOf(end)];
    if (!field) throw new Error(`the form has no field ${end}`);
    return field.nativeElement;
  }
}

function errorOf(time: string | null): string {
  if (time === null) return INVALID_TIME;
  return time === '' || /^(?:19[7-9]\d|[2-9]\d{3})-/.test(time) ? '' : OUT_OF_RANGE;
}

/** RFC 3339; a relative time is rounded to the second. */
function absoluteTime(time: string, now: number): string {
  if (time.includes('T')) return time;
  return new Date(Math.floor(moment(time, now) / 1_000_000) * 1000).toISOString();
}
