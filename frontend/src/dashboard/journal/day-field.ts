import { Component, input, output, signal } from '@angular/core';
import { IconButton } from '../../shared/ui/icon-button';
import { readDay } from './journal-address';

/** A day as `2026-11-21`, typed or chosen. A date field of the browser would show it in the browser's own format. */
@Component({
  selector: 'sw-day-field',
  imports: [IconButton],
  template: `
    <label class="muted" [attr.for]="id()">{{ label() }}</label>
    <input
      #text
      inputmode="numeric"
      placeholder="YYYY-MM-DD"
      i18n-placeholder
      title="A day, such as 2026-11-21"
      i18n-title
      maxlength="10"
      autocomplete="off"
      spellcheck="false"
      [id]="id()"
      [value]="day()"
      [attr.aria-invalid]="unclear() || invalid() ? true : null"
      [attr.aria-describedby]="describedBy()"
      (input)="type(text.value)"
      (change)="unclear.set(text.value !== '' && readDay(text.value) === '')"
    />
    <button
      swIconButton="calendar"
      class="small"
      label="Choose a day: {{ label() }}"
      i18n-label
      (click)="picker.showPicker()"
    ></button>
    <input
      #picker
      class="picker"
      type="date"
      min="2000-01-01"
      max="2099-12-31"
      tabindex="-1"
      aria-hidden="true"
      [value]="day()"
      (change)="type(picker.value)"
    />
  `,
  styles: `
    :host {
      position: relative;
      width: 184px;
      padding-right: 2px;
    }
    .picker {
      position: absolute;
      inset: auto auto 0 0;
      width: 1px;
      opacity: 0;
      pointer-events: none;
    }
  `,
  host: { class: 'field', '[class.bad]': 'unclear() || invalid()' },
})
export class DayField {
  readonly id = input.required<string>();
  readonly label = input.required<string>();
  readonly day = input.required<string>();
  readonly invalid = input(false);
  /** Id of a text that explains why the day is invalid. */
  readonly describedBy = input<string | null>(null);
  /** A valid day, or an empty text for none. */
  readonly choose = output<string>();
  protected readonly unclear = signal(false);
  protected readonly readDay = readDay;

  protected type(value: string): void {
    if (value !== '' && readDay(value) === '') return;
    this.unclear.set(false);
    this.choose.emit(value);
  }
}
