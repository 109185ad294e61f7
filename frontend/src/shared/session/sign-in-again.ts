import { Dialog } from '@angular/cdk/dialog';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import { loadPart } from '../loading/load-part';
import { SignInSession } from './sign-in-session';
import { goToSignIn } from './way-back';

/** Takes a session up again that has ended under an open page. */
@Service()
export class SignInAgain {
  private readonly session = inject(SignInSession);
  private readonly dialog = inject(Dialog);
  private asking: Promise<boolean> | undefined;

  /** After a refusal: by the cookie if that still holds, else by asking. @returns whether somebody is signed in. */
  async takeUp(): Promise<boolean> {
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

  private async open(): Promise<boolean> {
    const { SignInDialog } = await loadPart(() => import('./sign-in-dialog'));
    const opened = this.dialog.open<boolean>(SignInDialog, {
      ariaLabelledBy: 'sign-in-title',
      autoFocus: 'input[type=password]',
      disableClose: true,
    });
    return (await firstValueFrom(opened.closed)) === true;
  }
}
