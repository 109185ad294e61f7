import { DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal } from '@angular/core';
import { form, FormField, FormRoot, minLength, required } from '@angular/forms/signals';
import { Api } from '../../api/api';
import { apiSubmission, formError } from '../../ui/field/submission';
import { UI } from '../../ui/ui';

interface NewPassword {
  password: string;
}

@Component({
  selector: 'sw-viewer-password-dialog',
  imports: [FormField, FormRoot, UI],
  template: `
    <form class="dialog-form" [formRoot]="form">
      <div swDialog [error]="error()" [result]="false">
        <h2 id="dialog-title" i18n>Set read-only password</h2>
        <p class="soft" i18n>A change ends the sessions of the earlier read-only password.</p>
        <sw-field
          label="Password"
          i18n-label
          hint="At least 8 characters, and not your own password."
          i18n-hint
        >
          <input
            data-first
            id="viewer-password"
            type="password"
            autocomplete="new-password"
            [formField]="form.password"
          />
        </sw-field>
        <button action i18n [swSubmit]="form().submitting()">Set password</button>
      </div>
    </form>
  `,
})
export class ViewerPasswordDialog {
  private readonly api = inject(Api);
  private readonly dialog = inject<DialogRef<boolean>>(DialogRef);
  protected readonly form = form(
    signal<NewPassword>({ password: '' }),
    (path) => {
      required(path.password, { message: $localize`Password is required.` });
      minLength(path.password, 8, { message: $localize`Enter at least 8 characters.` });
    },
    { submission: apiSubmission((value) => this.save(value)) },
  );
  protected readonly error = computed(() => formError(this.form));

  private async save(value: NewPassword): Promise<void> {
    await this.api.send('PUT /api/auth/viewer-password', {}, value);
    this.dialog.close(true);
  }
}
