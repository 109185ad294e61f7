import { Component, inject, input, signal } from '@angular/core';
import { Api } from '../../api/api';
import { ignore } from '../../api/api-problem';
import type { AccessTokenDto } from '../../api/api-types';
import { Clock } from '../../browser/clock';
import { formatFull, formatMoment } from '../../format/format';
import { apiResource } from '../../loading/api-resource';
import { Confirm } from '../../ui/confirm';
import { Dialogs } from '../../ui/dialogs';
import { catchLostFocus } from '../../ui/lost-focus';
import { Toaster } from '../../ui/toaster';
import { UI } from '../../ui/ui';

@Component({
  selector: 'sw-access-tokens',
  imports: [UI],
  templateUrl: './access-tokens.html',
  styles: ':host { display: block }',
})
export class AccessTokens {
  private readonly api = inject(Api);
  protected readonly clock = inject(Clock);
  private readonly confirm = inject(Confirm);
  private readonly dialogs = inject(Dialogs);
  private readonly toaster = inject(Toaster);
  /** Whether the page has nothing else, so that its heading is the page's. */
  readonly alone = input(false);

  protected readonly tokens = apiResource('/api/auth/tokens', undefined, { refresh: {} });
  protected readonly rows = this.tokens.value;
  protected readonly revoking = signal('');
  protected readonly formatFull = formatFull;
  protected readonly formatMoment = formatMoment;

  protected async create(): Promise<void> {
    await this.dialogs.open(() => import('./access-token-dialog').then((file) => file.AccessTokenDialog), {
      width: '560px',
    });
    this.tokens.reload();
  }

  protected async revoke({ id, name }: AccessTokenDto): Promise<void> {
    const sure = await this.confirm.ask({
      title: $localize`Revoke the access token “${name}”?`,
      text: [$localize`Slipway rejects requests that use it, and closes its WebSockets.`],
      action: $localize`Revoke`,
      danger: true,
    });
    if (!sure) return;
    this.revoking.set(id);
    await this.toaster.attempt($localize`Could not revoke ${name}.`, async () => {
      // It may have expired, or another tab revoked it.
      await this.api.send('DELETE /api/auth/tokens/{id}', { id }).catch(ignore('access_token_not_found'));
      this.tokens.update((rows) => rows.filter((row) => row.id !== id));
      this.toaster.done($localize`Revoked ${name}.`);
      catchLostFocus();
    });
    this.revoking.set('');
    this.tokens.reload();
  }
}
