import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, inject, signal } from '@angular/core';
import { form, FormField } from '@angular/forms/signals';
import type { ClusterKey } from '../../shared/api/api';
import type { DrainDto } from '../../shared/api/api-types';
import type { DrainLosses } from './drain-losses';
import { NameList } from './name-list';
import { plural } from '../../shared/format/format';
import { PlainButton } from '../../shared/ui/plain-button';
import { Raw } from '../../shared/ui/raw';

/** The options of a drain that accept losses. */
export type DrainConsent = Pick<DrainDto, 'force' | 'delete_emptydir_data'>;

export interface DrainQuestion {
  key: ClusterKey;
  node: string;
  losses: DrainLosses;
}

/** Lists what a drain would lose, and continues only if each kind of loss is accepted. */
@Component({
  selector: 'sw-drain-dialog',
  imports: [FormField, NameList, PlainButton, Raw],
  template: `
    <div class="alert-dialog">
      <h2 i18n id="question-title" class="anywhere">Drain {{ question.node | swRaw }} and lose data?</h2>
      <p i18n id="question-text" class="soft">
        No Pod was evicted. Draining this node causes permanent losses.
      </p>
      @for (loss of losses; track loss.field) {
        <section class="stack tight gap-top">
          <p class="soft">{{ loss.text }}</p>
          <sw-name-list [names]="loss.pods" />
          <label class="check">
            <input type="checkbox" [formField]="form[loss.field]" />
            <span>{{ loss.consent }}</span>
          </label>
        </section>
      }
      <div class="acts">
        <button i18n class="btn" data-first (click)="dialog.close()">Cancel</button>
        <button i18n class="btn primary danger" [disabled]="!accepted()" (click)="drain()">Drain</button>
      </div>
    </div>
  `,
})
export class DrainDialog {
  protected readonly dialog = inject<DialogRef<DrainConsent>>(DialogRef);
  protected readonly question = inject<DrainQuestion>(DIALOG_DATA);
  protected readonly form = form(signal({ force: false, delete_emptydir_data: false }));
  protected readonly losses = lossesOf(this.question.losses);

  protected accepted(): boolean {
    return this.losses.every(({ field }) => this.form[field]().value());
  }

  protected drain(): void {
    this.dialog.close(Object.fromEntries(this.losses.map(({ field }) => [field, true])));
  }
}

function lossesOf({ bare, emptydir }: DrainLosses): {
  field: 'force' | 'delete_emptydir_data';
  pods: readonly string[];
  text: string;
  consent: string;
}[] {
  return [
    {
      field: 'force' as const,
      pods: bare,
      text: $localize`These Pods have no controller and are not recreated:`,
      consent: plural(bare.length, () => ({
        one: $localize`Delete this Pod`,
        other: $localize`Delete these Pods`,
      })),
    },
    {
      field: 'delete_emptydir_data' as const,
      pods: emptydir,
      text: $localize`These Pods have data in emptyDir volumes:`,
      consent: $localize`Delete emptyDir data`,
    },
  ].filter(({ pods }) => pods.length > 0);
}
