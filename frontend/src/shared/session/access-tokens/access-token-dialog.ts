import { DialogRef } from '@angular/cdk/dialog';
import { afterNextRender, Component, computed, DOCUMENT, inject, Injector, signal } from '@angular/core';
import { form, FormField, FormRoot, maxLength, required, validate } from '@angular/forms/signals';
import { Api } from '../../api/api';
import type { CreatedAccessTokenDto, TokenScope } from '../../api/api-types';
import { formatFull } from '../../format/format';
import { apiSubmission, formError } from '../../ui/field/submission';
import { UI } from '../../ui/ui';
import { expiresAt, EXPIRIES, type Expiry, firstDate, lastDate } from './expiry';

interface TokenForm {
  name: string;
  scope: TokenScope;
  expiry: Expiry;
  date: string;
}

const SCOPES: readonly { scope: TokenScope; text: string }[] = [
  {
    scope: 'read',
    text: $localize`Read data, run checks and dry runs. No changes, revealed Secrets, kubeconfigs or support bundles.`,
  },
  { scope: 'full', text: $localize`Everything you can do, except managing sessions and access tokens.` },
];

@Component({
  selector: 'sw-access-token-dialog',
  imports: [FormField, FormRoot, UI],
  templateUrl: './access-token-dialog.html',
})
export class AccessTokenDialog {
  private readonly api = inject(Api);
  private readonly dialog = inject<DialogRef<boolean>>(DialogRef);
  private readonly document = inject(DOCUMENT);
  private readonly injector = inject(Injector);

  protected readonly scopes = SCOPES;
  protected readonly expiries = EXPIRIES;
  protected readonly first = firstDate(Date.now());
  protected readonly last = lastDate(Date.now());
  protected readonly created = signal<CreatedAccessTokenDto | null>(null);
  protected readonly form = form(
    signal<TokenForm>({ name: '', scope: 'read', expiry: '30', date: '' }),
    (path) => {
      required(path.name, { message: $localize`Name is required.` });
      maxLength(path.name, 64);
      validate(path.date, ({ value, valueOf }) =>
        expiresAt(valueOf(path.expiry), value(), Date.now()) === null
          ? { kind: 'date', message: $localize`Choose a date within the next year.` }
          : undefined,
      );
    },
    { submission: apiSubmission((value) => this.create(value), { expires_at: 'date' }) },
  );
  protected readonly error = computed(() => formError(this.form));
  protected readonly formatFull = formatFull;

  private async create({ name, scope, expiry, date }: TokenForm): Promise<void> {
    const end = expiresAt(expiry, date, Date.now());
    if (end === null) return;
    this.created.set(
      await this.api.send('POST /api/auth/tokens', {}, { name: name.trim(), scope, expires_at: end }),
    );
    // The token is shown once: neither a click outside nor Escape may close the dialog.
    this.dialog.disableClose = true;
    afterNextRender(() => this.document.getElementById('token-value')?.focus(), { injector: this.injector });
  }
}
