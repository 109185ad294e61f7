import { DialogRef } from '@angular/cdk/dialog';
import { booleanAttribute, Component, inject, input } from '@angular/core';
import { CloseButton } from './close-button';
import { Notice } from './notice';
import { PlainButton } from './plain-button';

/**
 * The head, body and foot of a dialog. Its `h2` and elements with the attribute `head` go into the head. The foot has
 * Cancel, the buttons with the attribute `action`, and before them elements with the attribute `foot`; another foot
 * is an element with the class `dialog-foot`. Another body is an element with the attribute `body`.
 */
@Component({
  selector: '[swDialog]',
  imports: [CloseButton, Notice, PlainButton],
  template: `
    <div class="dialog-head">
      <ng-content select="h2, [head]" />
      @if (!done()) {
        <sw-close-button (closed)="close()" />
      }
    </div>
    <ng-content select="[body]">
      <div class="dialog-body">
        <ng-content />
        @if (error(); as text) {
          <sw-notice tone="failed">{{ text }}</sw-notice>
        }
      </div>
    </ng-content>
    @if (!footless()) {
      <ng-content select=".dialog-foot">
        <div class="dialog-foot">
          <ng-content select="[foot]" />
          <div class="acts">
            @if (done()) {
              <button i18n class="btn primary" data-first data-local (click)="close()">Close</button>
            } @else {
              <button i18n class="btn" data-local (click)="close()">Cancel</button>
            }
            <ng-content select="[action]" />
          </div>
        </div>
      </ng-content>
    }
  `,
  host: { class: 'dialog-form' },
})
export class DialogFrame {
  private readonly dialog = inject<DialogRef>(DialogRef);
  readonly error = input<string | null>();
  /** Of the dialog when it is dismissed. */
  readonly result = input<unknown>();
  /** Nothing is left to do: its only button is Close. */
  readonly done = input(false, { transform: booleanAttribute });
  readonly footless = input(false, { transform: booleanAttribute });

  protected close(): void {
    this.dialog.close(this.result());
  }
}
