import { Component, input, model } from '@angular/core';
import { Icon } from '../../shared/ui/icon';

/** A field of the form: its label, its text, and its hint or what is wrong with it. */
@Component({
  selector: 'sw-alert-field',
  imports: [Icon],
  template: `
    <div class="fl">
      <label [attr.for]="name()">
        {{ label() }}
        @if (note()) {
          <span class="opt">{{ note() }}</span>
        }
      </label>
      @if (lines()) {
        <textarea
          #area
          class="area"
          rows="2"
          spellcheck="false"
          [id]="name()"
          [class.bad]="problem()"
          [value]="value()"
          [attr.aria-invalid]="!!problem()"
          [attr.aria-describedby]="problem() || hint() ? name() + '-hint' : null"
          (input)="value.set(area.value)"
        ></textarea>
      } @else {
        <div class="field" [class.bad]="problem()">
          <input
            #text
            autocomplete="off"
            spellcheck="false"
            autocapitalize="none"
            [id]="name()"
            [type]="type()"
            [attr.inputmode]="number() ? 'numeric' : null"
            [value]="value()"
            [placeholder]="placeholder()"
            [attr.aria-invalid]="!!problem()"
            [attr.aria-describedby]="problem() || hint() ? name() + '-hint' : null"
            (input)="value.set(text.value)"
          />
        </div>
      }
      @if (problem(); as words) {
        <p class="hint bad" [id]="name() + '-hint'"><sw-icon name="warning" [size]="14" />{{ words }}</p>
      } @else if (hint()) {
        <p class="hint" [id]="name() + '-hint'">{{ hint() }}</p>
      }
    </div>
  `,
  styles: `
    :host {
      display: block;
      min-width: 0;
    }
    textarea.area {
      min-height: 4rem;
    }
  `,
})
export class AlertField {
  readonly label = input.required<string>();
  /** Also the id of its control. */
  readonly name = input.required<string>();
  readonly value = model.required<string>();
  readonly note = input('');
  readonly hint = input('');
  readonly placeholder = input('');
  readonly problem = input<string | undefined>();
  readonly type = input<'text' | 'password' | 'url'>('text');
  readonly number = input(false);
  /** Of several lines. */
  readonly lines = input(false);
}
