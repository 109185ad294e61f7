import { Component, inject, resource } from '@angular/core';
import { ApiProblem } from '../../api/api-problem';
import type { ListedSessionDto } from '../../api/api-types';
import { Ago } from '../../ui/ago';
import { Confirm } from '../../ui/confirm';
import { Notice } from '../../ui/notice';
import { SkeletonRows } from '../../ui/skeleton-rows';
import { SignInSession } from '../sign-in-session';
import { goToSignIn } from '../way-back';
import { describeProgram } from './describe-program';

/** The open sessions, each with the way to end it. */
@Component({
  selector: 'sw-sessions-page',
  imports: [Ago, Notice, SkeletonRows],
  templateUrl: './sessions-page.html',
  styleUrl: './sessions-page.scss',
})
export class SessionsPage {
  protected readonly session = inject(SignInSession);
  private readonly confirm = inject(Confirm);
  protected readonly sessions = resource({ loader: () => this.session.sessions() });
  protected readonly describeProgram = describeProgram;

  protected problem(): ApiProblem | null {
    const error = this.sessions.error();
    return error ? ApiProblem.of(error) : null;
  }

  protected async end(session: ListedSessionDto): Promise<void> {
    if (session.current) {
      await this.session.signOut();
      goToSignIn();
      return;
    }
    const sure = await this.confirm.ask({
      title: 'End this session?',
      text: [`${describeProgram(session.user_agent)} at ${session.address} has to sign in again.`],
      action: 'End it',
      danger: true,
    });
    if (!sure) return;
    await this.session.end(session.id).catch(() => undefined);
    this.sessions.reload();
  }
}
