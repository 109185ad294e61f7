import { Component, input, output } from '@angular/core';
import { Icon } from '../../shared/ui/icon';

/** A whole number that one types, or steps with the buttons or the arrow keys. What is typed stays as typed. */
@Component({
  selector: 'sw-stepper',
  imports: [Icon],
  template: `
    <div class="field stepper" [class.bad]="bad()">
      <button
        type="button"
        tabindex="-1"
        [attr.aria-label]="'Fewer ' + what()"
        [disabled]="number() <= min()"
        (click)="step(-1)"
      >
        <sw-icon name="minus" />
      </button>
      <input
        #field
        inputmode="numeric"
        autocomplete="off"
        [id]="fieldId()"
        [value]="value()"
        [attr.aria-invalid]="bad()"
        [attr.aria-describedby]="describedBy()"
        (input)="changed.emit(field.value)"
        (keydown.arrowUp)="step(1); $event.preventDefault()"
        (keydown.arrowDown)="step(-1); $event.preventDefault()"
      />
      <button
        type="button"
        tabindex="-1"
        [attr.aria-label]="'More ' + what()"
        [disabled]="number() >= max()"
        (click)="step(1)"
      >
        <sw-icon name="plus" />
      </button>
    </div>
  `,
  styles: `
    .stepper {
      display: grid;
      grid-template-columns: 32px 1fr 32px;
      padding: 0;
      gap: 0;
    }
    input {
      text-align: center;
    }
    button {
      display: grid;
      place-items: center;
      height: 100%;
      border: 0;
      background: none;
      color: var(--text-2);
    }
    button:disabled {
      color: var(--text-disabled);
    }
    button:first-child {
      border-right: 1px solid var(--line);
    }
    button:last-child {
      border-left: 1px solid var(--line);
    }
  `,
})
export class Stepper {
  readonly fieldId = input.required<string>();
  readonly value = input.required<string>();
  readonly min = input.required<number>();
  readonly max = input.required<number>();
  readonly what = input.required<string>();
  readonly bad = input(false);
  readonly describedBy = input<string>();
  readonly changed = output<string>();

  protected number(): number {
    const number = Number(this.value());
    return Number.isInteger(number) ? number : this.min();
  }

  protected step(by: number): void {
    this.changed.emit(String(Math.max(this.min(), Math.min(this.max(), this.number() + by))));
  }
}
