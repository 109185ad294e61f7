import { DialogRef } from '@angular/cdk/dialog';
import { afterNextRender, Component, computed, DOCUMENT, inject, Injector, signal } from '@angular/core';
import { ApiProblem } from '../../api/api-problem';
import type { CreatedAccessTokenDto, TokenScope } from '../../api/api-types';
import { asSentence, formatFull } from '../../format/format';
import { CopyButton } from '../../ui/copy-button';
import { Icon } from '../../ui/icon';
import { Notice } from '../../ui/notice';
import { AccessTokensApi } from './access-tokens-api';
import { EXPIRIES, expiresAt, firstDate, lastDate, type Expiry } from './expiry';

const SCOPES: readonly { scope: TokenScope; text: string }[] = [
  {
    scope: 'read',
    text: 'Reads, and runs checks and dry runs. No changes, revealed Secrets, kubeconfigs or support bundles.',
  },
  { scope: 'full', text: 'Everything that you can do, except managing sessions and access tokens.' },
];

/** Creates an access token, and shows it once. */
@Component({
  selector: 'sw-access-token-dialog',
  imports: [CopyButton, Icon, Notice],
  templateUrl: './access-token-dialog.html',
  styleUrl: './access-token-dialog.scss',
})
export class AccessTokenDialog {
  private readonly api = inject(AccessTokensApi);
  private readonly dialog = inject<DialogRef<boolean>>(DialogRef);
  private readonly document = inject(DOCUMENT);
  private readonly injector = inject(Injector);

  protected readonly scopes = SCOPES;
  protected readonly expiries = EXPIRIES;
  protected readonly first = firstDate(Date.now());
  protected readonly last = lastDate(Date.now());
  protected readonly name = signal('');
  protected readonly scope = signal<TokenScope>('read');
  protected readonly expiry = signal<Expiry>('30');
  protected readonly date = signal('');
  protected readonly sending = signal(false);
  protected readonly created = signal<CreatedAccessTokenDto | null>(null);
  private readonly problem = signal<ApiProblem | null>(null);
  private readonly tried = signal(false);

  protected readonly nameProblem = computed(() => {
    if (this.tried() && this.name().trim() === '') return 'A name is required.';
    return this.fieldProblem('name');
  });
  protected readonly dateProblem = computed(() => {
    if (this.tried() && expiresAt(this.expiry(), this.date(), Date.now()) === null) {
      return 'Choose a date within the next year.';
    }
    return this.fieldProblem('expires_at');
  });
  /** What is wrong with none of the fields. */
  protected readonly otherProblem = computed(() => {
    const problem = this.problem();
    return problem && this.nameProblem() === '' && this.dateProblem() === '' ? problem.message : '';
  });
  protected readonly formatFull = formatFull;

  protected chooseExpiry(value: string): void {
    this.expiry.set(EXPIRIES.find((choice) => choice.value === value)?.value ?? '30');
    this.tried.set(false);
  }

  protected close(): void {
    this.dialog.close(this.created() !== null);
  }

  protected async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.sending()) return;
    this.problem.set(null);
    this.tried.set(true);
    const end = expiresAt(this.expiry(), this.date(), Date.now());
    if (this.nameProblem() !== '' || end === null) {
      this.focus(this.nameProblem() === '' ? 'token-date' : 'token-name');
      return;
    }
    this.sending.set(true);
    try {
      const request = { name: this.name().trim(), scope: this.scope(), expires_at: end };
      this.created.set(await this.api.create(request));
      // The token is gone with the dialog: neither a click beside it nor Escape closes it.
      this.dialog.disableClose = true;
      this.focus('token-value');
    } catch (thrown) {
      this.problem.set(ApiProblem.of(thrown));
      this.focus('token-name');
    } finally {
      this.sending.set(false);
    }
  }

  private fieldProblem(name: string): string {
    const own = this.problem()?.fields.find(({ field }) => field === name);
    return own ? asSentence([own.problem, own.hint ?? ''].join('. ').replace(/\. $/, '')) : '';
  }

  private focus(id: string): void {
    afterNextRender(() => this.document.getElementById(id)?.focus(), { injector: this.injector });
  }
}
