import { Component, ElementRef, inject, input } from '@angular/core';
import { Icon } from '../../shared/ui/icon';
import { PlainButton } from '../../shared/ui/plain-button';

/** Buttons to the left and right of a number input, which goes inside. */
@Component({
  selector: 'sw-stepper',
  imports: [Icon, PlainButton],
  template: `
    <button tabindex="-1" [attr.aria-label]="less()" (click)="step(-1)">
      <sw-icon name="minus" />
    </button>
    <ng-content />
    <button tabindex="-1" [attr.aria-label]="more()" (click)="step(1)">
      <sw-icon name="plus" />
    </button>
  `,
  styles: `
    :host {
      flex: 1;
      display: grid;
      grid-template-columns: 32px 1fr 32px;
      height: 100%;
      margin: 0 -10px;
    }
    button {
      display: grid;
      place-items: center;
      padding: 0;
      border: 0;
      background: none;
      color: var(--text-2);
    }
  `,
})
export class Stepper {
  private readonly host: HTMLElement = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly less = input.required<string>();
  readonly more = input.required<string>();

  protected step(by: number): void {
    const control = this.host.querySelector('input');
    if (by > 0) control?.stepUp();
    else control?.stepDown();
    control?.dispatchEvent(new Event('input'));
  }
}
