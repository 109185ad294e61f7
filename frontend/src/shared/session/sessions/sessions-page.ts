import { Component, computed, inject, signal } from '@angular/core';
import { Api } from '../../api/api';
import { ignore } from '../../api/api-problem';
import type { ListedSessionDto } from '../../api/api-types';
import { formatElapsed, formatFull, sessionCount } from '../../format/format';
import { Clock } from '../../browser/clock';
import { apiResource } from '../../loading/api-resource';
import { Confirm } from '../../ui/confirm';
import { Toaster } from '../../ui/toaster';
import { UI } from '../../ui/ui';
import { AccessTokens } from '../access-tokens/access-tokens';
import { PAGE_SESSION } from '../page-session';
import { SignInSession } from '../sign-in-session';
import { SignOut } from '../sign-out';
import { ViewerPassword } from '../viewer-password/viewer-password';
import { describeProgram } from './describe-program';

@Component({
  selector: 'sw-sessions-page',
  imports: [AccessTokens, UI, ViewerPassword],
  templateUrl: './sessions-page.html',
})
export class SessionsPage {
  private readonly api = inject(Api);
  private readonly clock = inject(Clock);
  private readonly confirm = inject(Confirm);
  private readonly signOut = inject(SignOut);
  private readonly toaster = inject(Toaster);
  protected readonly hasSessions = inject(PAGE_SESSION) !== 'open';
  protected readonly user = inject(SignInSession).user;
  protected readonly sessions = apiResource('/api/auth/sessions', () => (this.hasSessions ? {} : undefined), {
    refresh: {},
  });
  protected readonly exemption = apiResource('/api/auth/exemption', undefined, { refresh: {} });
  protected readonly rows = computed(() =>
    this.sessions.value()?.toSorted((one, other) => Number(other.current) - Number(one.current)),
  );
  protected readonly others = computed(() => this.rows()?.filter(({ current }) => !current).length ?? 0);
  protected readonly ending = signal('');
  protected readonly describeProgram = describeProgram;
  protected readonly formatFull = formatFull;

  protected left({ expires_at }: ListedSessionDto): string {
    return formatElapsed(Date.parse(expires_at) - this.clock.now());
  }

  protected async end(session: ListedSessionDto): Promise<void> {
    if (session.current) {
      await this.signOut.signOut();
      return;
    }
    const program = describeProgram(session.user_agent);
    const sure = await this.confirm.ask({
      title: $localize`End this session?`,
      text: [$localize`${program}:program: at ${session.address}:address: must sign in again.`],
      action: $localize`End session`,
      danger: true,
    });
    if (!sure) return;
    await this.run(session.id, $localize`Could not end the session.`, async () => {
      // It may have expired, or another tab ended it.
      await this.api
        .send('DELETE /api/auth/sessions/{id}', { id: session.id })
        .catch(ignore('session_not_found'));
      this.toaster.done(
        $localize`Session ended.`,
        $localize`${program}:program: at ${session.address}:address: is signed out.`,
      );
    });
  }

  protected async endOthers(): Promise<void> {
    const sure = await this.confirm.ask({
      title: $localize`End all other sessions?`,
      text: [$localize`${sessionCount(this.others())}:sessions: must sign in again. This session continues.`],
      action: $localize`End other sessions`,
      danger: true,
    });
    if (!sure) return;
    await this.run('all', $localize`Could not end the other sessions.`, async () => {
      const { ended } = await this.api.send('DELETE /api/auth/sessions');
      this.toaster.done($localize`${sessionCount(ended)}:count: ended.`);
    });
  }

  private async run(what: string, failure: string, work: () => Promise<void>): Promise<void> {
    this.ending.set(what);
    await this.toaster.attempt(failure, work);
    this.ending.set('');
    this.sessions.reload();
  }
}
