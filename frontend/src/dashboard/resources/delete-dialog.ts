import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, inject, signal } from '@angular/core';
import { form, FormField } from '@angular/forms/signals';
import type { PropagationName } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { NameList } from './name-list';

export interface DeleteQuestion {
  /** `web-0`, or `3 Pods`. */
  what: string;
  names: readonly string[];
  notes: readonly string[];
  /** Offers to skip the Pods' grace period. */
  arePods: boolean;
}

export interface DeleteAnswer {
  propagation: PropagationName;
  force: boolean;
}

@Component({
  selector: 'sw-delete-dialog',
  imports: [FormField, NameList],
  template: `
    <div class="alert-dialog">
      <h2 i18n id="delete-title" class="anywhere">Delete {{ question.what }}?</h2>
      <div id="delete-text" class="stack tight gap-top soft">
        @for (note of question.notes; track note) {
          <p>{{ note }}</p>
        }
        @if (question.names.length > 1) {
          <sw-name-list [names]="question.names" />
        }
      </div>
      <fieldset class="fl">
        <legend i18n class="lab">Dependents</legend>
        @for (choice of choices; track choice.value) {
          <label class="radio">
            <input type="radio" [value]="choice.value" [formField]="form.propagation" />
            <span
              ><b>{{ choice.text }}</b
              ><small>{{ choice.hint }}</small></span
            >
          </label>
        }
      </fieldset>
      @if (question.arePods) {
        <label class="radio">
          <input type="checkbox" [formField]="form.force" />
          <span><b i18n>Force</b><small i18n>Skips the Pods’ grace period.</small></span>
        </label>
      }
      <div class="acts">
        <button i18n type="button" class="btn" data-first (click)="dialog.close()">Cancel</button>
        <button type="button" class="btn primary danger" (click)="dialog.close(form().value())">
          <span i18n class="cut">Delete {{ question.names.length > 1 ? count : question.what }}</span>
        </button>
      </div>
    </div>
  `,
  styles: `
    .fl {
      margin-top: 14px;
    }
    .btn {
      max-width: 100%;
    }
  `,
})
export class DeleteDialog {
  protected readonly dialog = inject<DialogRef<DeleteAnswer>>(DialogRef);
  protected readonly question = inject<DeleteQuestion>(DIALOG_DATA);
  protected readonly choices: readonly { value: PropagationName; text: string; hint: string }[] = [
    {
      value: 'background',
      text: $localize`Background`,
      hint: $localize`Default. Dependents are deleted after their owner.`,
    },
    {
      value: 'foreground',
      text: $localize`Foreground`,
      hint: $localize`Dependents are deleted before their owner.`,
    },
    { value: 'orphan', text: $localize`Orphan`, hint: $localize`Dependents are kept without an owner.` },
  ];
  protected readonly form = form(signal<DeleteAnswer>({ propagation: 'background', force: false }));
  protected readonly count = plural(this.question.names.length, 'object');
}
