import {
  afterRenderEffect,
  Component,
  computed,
  contentChild,
  ElementRef,
  inject,
  input,
  signal,
  untracked,
} from '@angular/core';
import { FormField } from '@angular/forms/signals';
import { Icon } from '../icon';

let fields = 0;

/**
 * A form field: label, control, and one line below it with a hint or what is wrong. Put the control inside,
 * and a hint with markup in an element with the attribute `hint`:
 *
 * `<sw-field label="Name" hint="At most 40 characters."><input [formField]="form.name" /></sw-field>`
 *
 * Errors of the bound form field show once it was touched or submitted. A control without `[formField]`
 * gets its error through `error`. Label, `aria-invalid` and `aria-describedby` are set on the control.
 */
@Component({
  selector: 'sw-field',
  imports: [Icon],
  template: `
    <label [for]="id()">
      {{ label() }}
      @if (optional()) {
        <span class="opt" i18n>optional</span>
      }
      @if (note()) {
        <span class="opt">{{ note() }}</span>
      }
    </label>
    <div class="field" [class.bad]="problem() !== ''"><ng-content /></div>
    @if (problem(); as text) {
      <p class="hint bad" [id]="hintId"><sw-icon name="warning" [size]="14" />{{ text }}</p>
    } @else {
      <div class="hint" [id]="hintId">{{ hint() }}<ng-content select="[hint]" /></div>
    }
  `,
  host: { class: 'fl' },
})
export class Field {
  readonly label = input.required<string>();
  readonly hint = input('');
  readonly optional = input(false);
  /** Small print beside the label. */
  readonly note = input('');
  /** The error of a control that has no `[formField]`, or that only its page knows. */
  readonly error = input('');
  private readonly bound = contentChild(FormField);
  private readonly host: HTMLElement = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly number = (fields += 1);
  /** The control's own id if it has one. */
  protected readonly id = signal(`field-${this.number}`);
  protected readonly hintId = `field-hint-${this.number}`;
  protected readonly problem = computed(() => {
    const state = this.bound()?.state();
    const own = state?.touched() === true ? state.errors()[0]?.message : undefined;
    return own ?? this.error();
  });

  constructor() {
    afterRenderEffect(() => {
      const problem = this.problem();
      this.hint();
      const control = this.host.querySelector<HTMLElement>('.field :is(input, select, textarea)');
      if (!control) return;
      control.id ||= untracked(this.id);
      this.id.set(control.id);
      if (problem !== '') control.closest('details')?.setAttribute('open', '');
      setAttribute(control, 'aria-invalid', problem === '' ? null : 'true');
      const isDescribed = this.host.querySelector(`#${this.hintId}`)?.textContent.trim() !== '';
      setAttribute(control, 'aria-describedby', isDescribed ? this.hintId : null);
    });
  }
}

function setAttribute(element: HTMLElement, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
