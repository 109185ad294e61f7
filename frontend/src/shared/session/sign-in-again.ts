import { inject, Service } from '@angular/core';
import { ApiProblem } from '../api/api-problem';
import { Dialogs } from '../ui/dialogs';
import { type SignInReason, SignInSession } from './sign-in-session';
import { goToSignIn } from './return-url';

/** Restores a session that has ended while a page is open. */
@Service()
export class SignInAgain {
  private readonly session = inject(SignInSession);
  private readonly dialogs = inject(Dialogs);
  private asking: Promise<boolean> | undefined;

  /** After a 401: by the session cookie, or with a sign-in dialog. @returns whether the user is signed in */
  async recover(): Promise<boolean> {
    if (this.asking) return await this.asking;
    const wasSignedIn = this.session.user() !== null;
    if (await this.session.restore()) return true;
    if (wasSignedIn) return await this.ask();
    goToSignIn();
    return false;
  }

  /** Opens the sign-in dialog over the page; concurrent callers share it. */
  async ask(reason: SignInReason = 'session'): Promise<boolean> {
    this.asking ??= this.open(reason).finally(() => (this.asking = undefined));
    return await this.asking;
  }

  /**
   * The query of a WebSocket address. It has a one-time ticket instead of the token, because servers log addresses;
   * it is empty if sign-in is off. @throws ApiProblem
   */
  async socketQuery(): Promise<string> {
    if (this.session.user() === null) return '';
    try {
      return `?token=${await this.session.ticket()}`;
    } catch (thrown) {
      if (ApiProblem.of(thrown).status !== 401 || !(await this.recover())) throw thrown;
      return `?token=${await this.session.ticket()}`;
    }
  }

  /** As `socketQuery`, but without a dialog. @returns null if the session has ended. @throws ApiProblem */
  async quietSocketQuery(): Promise<string | null> {
    if (this.session.user() === null) return '';
    try {
      return `?token=${await this.session.ticket()}`;
    } catch (thrown) {
      if (ApiProblem.of(thrown).status !== 401) throw thrown;
      return (await this.session.restore()) ? `?token=${await this.session.ticket()}` : null;
    }
  }

  private async open(data: SignInReason): Promise<boolean> {
    const isSignedIn = await this.dialogs.open<boolean>(
      () => import('./sign-in-dialog').then((file) => file.SignInDialog),
      {
        data,
        ariaLabelledBy: 'sign-in-title',
        ariaDescribedBy: 'sign-in-text',
        autoFocus: 'input[type=password]',
        // The dialog handles Escape itself: it must stay open once the session has ended.
        disableClose: true,
        width: '440px',
        panelClass: 'dialog-pane',
      },
    );
    return isSignedIn === true;
  }
}
