import { Component, input, output } from '@angular/core';

/** A narrow field of one row of several, its label above it in small; the row says what is wrong with it. */
@Component({
  selector: 'sw-row-field',
  template: `
    <label>
      <span class="label">{{ label() }}</span>
      <span class="field" [class.bad]="bad()">
        <input
          #text
          class="mono"
          [id]="fieldId()"
          [attr.inputmode]="digits() ? 'numeric' : null"
          [attr.placeholder]="placeholder() || null"
          [attr.aria-describedby]="describedBy()"
          [value]="value()"
          (input)="changed.emit(text.value)"
        />
      </span>
    </label>
  `,
  styles: `
    .label {
      display: block;
      margin-bottom: 3px;
      font-size: var(--fs-xs);
      color: var(--text-3);
    }
  `,
})
export class RowField {
  readonly fieldId = input.required<string>();
  readonly label = input.required<string>();
  readonly value = input.required<string>();
  readonly describedBy = input.required<string>();
  readonly bad = input(false);
  readonly digits = input(false);
  readonly placeholder = input('');
  readonly changed = output<string>();
}
