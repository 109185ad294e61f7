import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, inject } from '@angular/core';
import type { ClusterKey } from '../api/api';
import { shortenIds } from '../format/format';
import { rawMessage } from '../format/raw-text';
import { Icon } from './icon';
import { PlainButton } from './plain-button';
import { Raw } from './raw';

export interface Question {
  title: string;
  /** The effects, one sentence each. */
  text: string[];
  /** Changes. Set, also if it is empty, to give the list of losses a heading. */
  changes?: string[];
  /** Heading of the changes, by default "What changes". */
  changesTitle?: string;
  /** The objects that are lost, by name. */
  losses?: string[];
  /** The verb on the button, such as `Delete staging`. */
  action: string;
  /** A checkbox. Its state is set when the user answers. */
  option?: { label: string; checked: boolean };
  keep?: string;
  danger?: boolean;
  /** The cluster that the action changes, so that the dialog of an external one shows its color. */
  key?: ClusterKey;
}

/** Shows a question. Anyone may have chosen the names in it, so hidden characters are escaped. */
@Component({
  selector: 'sw-confirm-dialog',
  imports: [Icon, PlainButton, Raw],
  template: `
    <div class="alert-dialog">
      <h2 id="question-title">{{ question.title | swRaw }}</h2>
      <div id="question-text">
        @for (sentence of question.text; track sentence) {
          <p class="soft">{{ message(sentence) }}</p>
        }
        @if (question.changes?.length) {
          <h3 class="sm">{{ question.changesTitle ?? changes }}</h3>
          <ul class="sm">
            @for (change of question.changes; track change) {
              <li class="anywhere">
                <sw-icon class="muted" name="arrow-right" [size]="12" />{{ change | swRaw }}
              </li>
            }
          </ul>
        }
        @if (question.losses?.length) {
          @if (question.changes) {
            <h3 class="sm" i18n>What is lost</h3>
          }
          <ul class="sm">
            @for (loss of question.losses; track loss) {
              <li class="anywhere" [attr.title]="shorten(loss) === loss ? null : (loss | swRaw)">
                <sw-icon class="muted" name="minus" [size]="12" />{{ shorten(loss) | swRaw }}
              </li>
            }
          </ul>
        }
      </div>
      @if (question.option; as option) {
        <label class="check sm">
          <input type="checkbox" [checked]="option.checked" (change)="option.checked = !option.checked" />{{
            option.label
          }}
        </label>
      }
      <div class="acts">
        <button class="btn" data-first (click)="dialog.close(false)">
          {{ question.keep ?? cancel }}
        </button>
        <button class="btn primary" [class.danger]="question.danger" (click)="dialog.close(true)">
          {{ question.action | swRaw }}
        </button>
      </div>
    </div>
  `,
  styles: `
    p {
      margin-top: 8px;
    }
    h3 {
      margin-top: 14px;
    }
    ul,
    label {
      margin-top: 10px;
    }
    li {
      display: flex;
      gap: 8px;
      align-items: baseline;
      padding: 3px 0;
    }
  `,
})
export class ConfirmDialog {
  protected readonly cancel = $localize`Cancel`;
  protected readonly changes = $localize`What changes`;
  protected readonly shorten = shortenIds;
  protected readonly message = rawMessage;
  protected readonly question = inject<Question>(DIALOG_DATA);
  protected readonly dialog = inject<DialogRef<boolean>>(DialogRef);
}
