import { Dialog } from '@angular/cdk/dialog';
import { DOCUMENT, inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import { ApiProblem } from '../api/api-problem';
import { loadPart } from '../loading/load-part';
import { catchLostFocus } from '../ui/lost-focus';
import { SignInSession } from './sign-in-session';
import { goToSignIn } from './return-url';

/** Takes a session up again that has ended under an open page. */
@Service()
export class SignInAgain {
  private readonly session = inject(SignInSession);
  private readonly dialog = inject(Dialog);
  private readonly document = inject(DOCUMENT);
  private asking: Promise<boolean> | undefined;

  /** After a refusal: by the cookie if that still holds, else by asking. @returns whether somebody is signed in. */
  async takeUp(): Promise<boolean> {
    if (this.asking) return await this.asking;
    const wasSignedIn = this.session.user() !== null;
    if (await this.session.restore()) return true;
    if (wasSignedIn) return await this.ask();
    goToSignIn();
    return false;
  }

  /** Asks for the password over the page as it stands. One question, however many calls wait for it. */
  async ask(): Promise<boolean> {
    this.asking ??= this.open().finally(() => (this.asking = undefined));
    return await this.asking;
  }

  /**
   * What the address of a WebSocket ends with: a ticket, as addresses may be kept. Nothing where nobody signs in.
   * @throws ApiProblem
   */
  async socketQuery(): Promise<string> {
    if (this.session.user() === null) return '';
    try {
      return `?token=${await this.session.ticket()}`;
    } catch (thrown) {
      if (ApiProblem.of(thrown).status !== 401 || !(await this.takeUp())) throw thrown;
      return `?token=${await this.session.ticket()}`;
    }
  }

  /** As `socketQuery`, but nobody is asked. @returns null where nobody is signed in any more. @throws ApiProblem */
  async quietSocketQuery(): Promise<string | null> {
    if (this.session.user() === null) return '';
    try {
      return `?token=${await this.session.ticket()}`;
    } catch (thrown) {
      if (ApiProblem.of(thrown).status !== 401) throw thrown;
      return (await this.session.restore()) ? `?token=${await this.session.ticket()}` : null;
    }
  }

  private async open(): Promise<boolean> {
    const { SignInDialog } = await loadPart(() => import('./sign-in-dialog'));
    const opened = this.dialog.open<boolean>(SignInDialog, {
      ariaLabelledBy: 'sign-in-title',
      ariaDescribedBy: 'sign-in-text',
      autoFocus: 'input[type=password]',
      // Its own keys and buttons close it: while a session has ended, nothing else does.
      disableClose: true,
      width: '440px',
      panelClass: 'dialog-pane',
      backdropClass: 'veil',
    });
    const answer = await firstValueFrom(opened.closed);
    catchLostFocus(this.document);
    return answer === true;
  }
}
