import { Component, computed, effect, inject, resource, signal, untracked } from '@angular/core';
import { ApiProblem } from '../../api/api-problem';
import type { ListedSessionDto } from '../../api/api-types';
import { formatElapsed, formatFull, plural } from '../../format/format';
import { Clock } from '../../live/clock';
import { PageVisibility } from '../../live/page-visibility';
import { Ago } from '../../ui/ago';
import { Confirm } from '../../ui/confirm';
import { Notice } from '../../ui/notice';
import { SkeletonRows } from '../../ui/skeleton-rows';
import { Toaster } from '../../ui/toaster';
import { AccessTokens } from '../access-tokens/access-tokens';
import { PAGE_SESSION } from '../page-session';
import { SignInSession } from '../sign-in-session';
import { SignOut } from '../sign-out';
import { describeProgram } from './describe-program';
import { SessionsApi } from './sessions-api';

/** The open sessions, each with the way to end it, and the access tokens: these alone without sign-in. */
@Component({
  selector: 'sw-sessions-page',
  imports: [AccessTokens, Ago, Notice, SkeletonRows],
  templateUrl: './sessions-page.html',
  styleUrl: './sessions-page.scss',
})
export class SessionsPage {
  private readonly api = inject(SessionsApi);
  private readonly clock = inject(Clock);
  private readonly confirm = inject(Confirm);
  private readonly leave = inject(SignOut);
  private readonly toaster = inject(Toaster);
  private readonly seen = inject(PageVisibility).visible;
  protected readonly hasSessions = inject(PAGE_SESSION) !== 'open';
  protected readonly user = inject(SignInSession).user;
  protected readonly sessions = resource({
    params: () => (this.hasSessions ? true : undefined),
    loader: () => this.api.list(),
  });
  /** What is shown: the newest answer, and it stays while the next one is on its way or failed. */
  protected readonly rows = signal<readonly ListedSessionDto[] | null>(null);
  protected readonly others = computed(() => this.rows()?.filter(({ current }) => !current).length ?? 0);
  protected readonly problem = computed(() => {
    const error = this.sessions.error();
    return error ? ApiProblem.of(error) : null;
  });
  /** What is being ended: an id, or all. */
  protected readonly ending = signal('');
  protected readonly describeProgram = describeProgram;
  protected readonly formatFull = formatFull;

  constructor() {
    effect(() => {
      if (this.sessions.hasValue()) this.rows.set([...this.sessions.value()].sort(ownFirst));
    });
    // Whoever comes back to this tab sees the sessions of now.
    let first = true;
    effect(() => {
      const seen = this.seen();
      if (seen && !first) untracked(() => this.sessions.reload());
      first = false;
    });
  }

  protected left({ expires_at }: ListedSessionDto): string {
    return formatElapsed(Date.parse(expires_at) - this.clock.now());
  }

  protected async end(session: ListedSessionDto): Promise<void> {
    if (session.current) {
      await this.leave.signOut();
      return;
    }
    const program = describeProgram(session.user_agent);
    const sure = await this.confirm.ask({
      title: 'End this session?',
      text: [`${program} at ${session.address} has to sign in again.`],
      action: 'End the session',
      danger: true,
    });
    if (!sure) return;
    await this.run(session.id, 'The session was not ended.', async () => {
      await this.api.end(session.id).catch((thrown: unknown) => {
        // Ended meanwhile, by its time or by somebody else.
        if (ApiProblem.of(thrown).code !== 'session_not_found') throw thrown;
      });
      this.toaster.done('The session was ended.', `${program} at ${session.address} is signed out.`);
    });
  }

  protected async endOthers(): Promise<void> {
    const sure = await this.confirm.ask({
      title: 'End all other sessions?',
      text: [
        `${plural(this.others(), 'session')} will have to sign in again, programs with a token too. This one goes on.`,
      ],
      action: 'End the others',
      keep: 'Keep them',
      danger: true,
    });
    if (!sure) return;
    await this.run('all', 'The other sessions were not ended.', async () => {
      const ended = await this.api.endOthers();
      this.toaster.done(`${plural(ended, 'session')} ${ended === 1 ? 'was' : 'were'} ended.`);
    });
  }

  private async run(what: string, failure: string, work: () => Promise<void>): Promise<void> {
    this.ending.set(what);
    try {
      await work();
    } catch (thrown) {
      this.toaster.problem(thrown, failure);
    } finally {
      this.ending.set('');
      this.sessions.reload();
    }
  }
}

function ownFirst(one: ListedSessionDto, other: ListedSessionDto): number {
  return Number(other.current) - Number(one.current);
}
