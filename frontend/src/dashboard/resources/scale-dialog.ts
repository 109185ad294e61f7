import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, inject, signal } from '@angular/core';
import { form, FormField, FormRoot, max, min, required, validate } from '@angular/forms/signals';
import type { ClusterKey } from '../../shared/api/api';
import { Field } from '../../shared/ui/field/field';
import { PlainButton } from '../../shared/ui/plain-button';
import { Raw } from '../../shared/ui/raw';

export interface ScaleQuestion {
  key: ClusterKey;
  name: string;
  replicas: number;
}

/** Limit of the API. */
const MAX_REPLICAS = 1000;

@Component({
  selector: 'sw-scale-dialog',
  imports: [Field, FormField, FormRoot, PlainButton, Raw],
  template: `
    <form class="alert-dialog" [formRoot]="form">
      <h2 i18n id="dialog-title" class="anywhere">Scale {{ question.name | swRaw }}</h2>
      <sw-field
        class="gap-top"
        label="Replicas"
        i18n-label
        hint="Currently {{ question.replicas }}. Set 0 to stop it."
        i18n-hint
        [error]="form.replicas().errors()[0]?.message ?? ''"
      >
        <input data-first type="number" inputmode="numeric" [formField]="form.replicas" />
      </sw-field>
      <div class="acts">
        <button i18n class="btn" (click)="dialog.close()">Cancel</button>
        <button
          i18n
          type="submit"
          class="btn primary"
          [disabled]="!form().valid() || form.replicas().value() === question.replicas"
        >
          Scale to {{ form().valid() ? form.replicas().value() : '…' }}
        </button>
      </div>
    </form>
  `,
})
export class ScaleDialog {
  protected readonly dialog = inject<DialogRef<number>>(DialogRef);
  protected readonly question = inject<ScaleQuestion>(DIALOG_DATA);
  protected readonly form = form(
    signal<{ replicas: number | null }>({ replicas: this.question.replicas }),
    ({ replicas }) => {
      const message = $localize`Must be a whole number from 0 to ${MAX_REPLICAS}:max:.`;
      required(replicas, { message });
      min(replicas, 0, { message });
      max(replicas, MAX_REPLICAS, { message });
      validate(replicas, ({ value }) =>
        Number.isInteger(value() ?? 0) ? undefined : { kind: 'integer', message },
      );
    },
    {
      submission: {
        action: (field) => {
          this.dialog.close(field().value().replicas ?? undefined);
          return Promise.resolve(undefined);
        },
      },
    },
  );
}
