import { A11yModule } from '@angular/cdk/a11y';
import { CdkConnectedOverlay, CdkOverlayOrigin } from '@angular/cdk/overlay';
import { NgTemplateOutlet } from '@angular/common';
import { Component, contentChild, input, model, TemplateRef } from '@angular/core';
import { Icon, type IconName } from './icon';
import { PlainButton } from './plain-button';

/**
 * A button that opens a small dialog below it. Its content is an `ng-template`, created when the dialog opens, whose
 * variable closes it.
 */
@Component({
  selector: 'sw-popover',
  imports: [A11yModule, CdkConnectedOverlay, CdkOverlayOrigin, Icon, NgTemplateOutlet, PlainButton],
  template: `
    <button
      class="btn"
      cdkOverlayOrigin
      #origin="cdkOverlayOrigin"
      aria-haspopup="dialog"
      [attr.aria-expanded]="open()"
      (click)="open.set(!open())"
    >
      <sw-icon [name]="icon()" />
      @if (text()) {
        <span class="sr-only">{{ label() }}:</span>
      }
      <span class="cut">{{ text() || label() }}</span>
    </button>
    <ng-template
      cdkConnectedOverlay
      [cdkConnectedOverlayOrigin]="origin"
      [cdkConnectedOverlayOpen]="open()"
      [cdkConnectedOverlayHasBackdrop]="true"
      [cdkConnectedOverlayPush]="true"
      cdkConnectedOverlayBackdropClass="cdk-overlay-transparent-backdrop"
      (backdropClick)="open.set(false)"
      (detach)="open.set(false)"
    >
      <div
        class="menu"
        role="dialog"
        [attr.aria-label]="label()"
        cdkTrapFocus
        [cdkTrapFocusAutoCapture]="true"
      >
        <ng-container [ngTemplateOutlet]="content()" [ngTemplateOutletContext]="{ $implicit: close }" />
      </div>
    </ng-template>
  `,
  styles: `
    :host {
      display: flex;
      min-width: 0;
    }
    .btn {
      min-width: 0;
    }
    .menu {
      width: min(300px, 100vw - 32px);
      max-height: min(560px, 70vh);
      margin-block: 4px;
      overflow: auto;
    }
  `,
})
export class Popover {
  readonly icon = input.required<IconName>();
  /** Names the dialog and its button. */
  readonly label = input.required<string>();
  /** The label of the button instead of the icon, such as a choice. */
  readonly text = input('');
  readonly open = model(false);
  protected readonly content = contentChild.required(TemplateRef);
  protected readonly close = (): void => this.open.set(false);
}
