import { Dialog } from '@angular/cdk/dialog';
import {
  Component,
  computed,
  DOCUMENT,
  effect,
  inject,
  input,
  resource,
  signal,
  untracked,
} from '@angular/core';
import { firstValueFrom } from 'rxjs';
import { ApiProblem } from '../../api/api-problem';
import type { AccessTokenDto } from '../../api/api-types';
import { formatFull, formatMoment } from '../../format/format';
import { Clock } from '../../live/clock';
import { PageVisibility } from '../../live/page-visibility';
import { loadPart } from '../../loading/load-part';
import { Ago } from '../../ui/ago';
import { Confirm } from '../../ui/confirm';
import { Icon } from '../../ui/icon';
import { catchLostFocus } from '../../ui/lost-focus';
import { Notice } from '../../ui/notice';
import { Placeholder } from '../../ui/placeholder';
import { SkeletonRows } from '../../ui/skeleton-rows';
import { Toaster } from '../../ui/toaster';
import { AccessTokensApi } from './access-tokens-api';

/** The access tokens, with the ways to create and revoke them: a section, or all of a page. */
@Component({
  selector: 'sw-access-tokens',
  imports: [Ago, Icon, Notice, Placeholder, SkeletonRows],
  templateUrl: './access-tokens.html',
  styleUrl: './access-tokens.scss',
})
export class AccessTokens {
  private readonly api = inject(AccessTokensApi);
  private readonly clock = inject(Clock);
  private readonly confirm = inject(Confirm);
  private readonly dialog = inject(Dialog);
  private readonly document = inject(DOCUMENT);
  private readonly toaster = inject(Toaster);
  private readonly seen = inject(PageVisibility).visible;
  /** Whether nothing else is on the page, so that its heading is that of the page. */
  readonly alone = input(false);

  protected readonly tokens = resource({ loader: () => this.api.list() });
  /** What is shown: the newest response, and it stays while the next one is on its way or failed. */
  protected readonly rows = signal<readonly AccessTokenDto[] | null>(null);
  protected readonly problem = computed(() => {
    const error = this.tokens.error();
    return error ? ApiProblem.of(error) : null;
  });
  /** The id of the token that is being revoked. */
  protected readonly revoking = signal('');
  protected readonly formatFull = formatFull;

  constructor() {
    effect(() => {
      if (this.tokens.hasValue()) this.rows.set(this.tokens.value());
    });
    // A tab that is seen again shows the tokens of now.
    let first = true;
    effect(() => {
      const seen = this.seen();
      if (seen && !first) untracked(() => this.tokens.reload());
      first = false;
    });
  }

  protected moment(time: string): string {
    return formatMoment(time, this.clock.now());
  }

  protected async create(): Promise<void> {
    const { AccessTokenDialog } = await loadPart(() => import('./access-token-dialog'));
    const open = this.dialog.open<boolean>(AccessTokenDialog, {
      ariaLabelledBy: 'token-title',
      autoFocus: '#token-name',
      width: '560px',
      panelClass: ['dialog-pane', 'fills-phone'],
      backdropClass: 'veil',
    });
    await firstValueFrom(open.closed);
    this.tokens.reload();
  }

  protected async revoke({ id, name }: AccessTokenDto): Promise<void> {
    const sure = await this.confirm.ask({
      title: `Revoke the access token “${name}”?`,
      text: ['Programs that use it are rejected at once, and their sockets are closed.'],
      action: 'Revoke',
      keep: 'Cancel',
      danger: true,
    });
    if (!sure) return;
    this.revoking.set(id);
    try {
      await this.api.revoke(id).catch((thrown: unknown) => {
        // Revoked meanwhile in another tab, or expired.
        if (ApiProblem.of(thrown).code !== 'access_token_not_found') throw thrown;
      });
      this.rows.update((rows) => rows?.filter((row) => row.id !== id) ?? null);
      this.toaster.done(`Revoked ${name}.`);
      catchLostFocus(this.document);
    } catch (thrown) {
      this.toaster.problem(thrown, `Could not revoke ${name}.`);
    } finally {
      this.revoking.set('');
      this.tokens.reload();
    }
  }
}
