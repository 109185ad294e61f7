import { DialogRef } from '@angular/cdk/dialog';
import { Component, inject } from '@angular/core';
import { SignInForm } from './sign-in-form';
import { SignInSession } from './sign-in-session';
import { goToSignIn } from './way-back';

/** Over the page whose session ended: the password again, and everything goes on as it stands. */
@Component({
  selector: 'sw-sign-in-dialog',
  imports: [SignInForm],
  template: `
    <div class="alert-dialog">
      <h2 id="sign-in-title">{{ ended() ? 'Your session has ended' : 'Your session ends soon' }}</h2>
      <p>Sign in again, and this page goes on as it is.</p>
      <sw-sign-in-form [username]="session.user()?.username ?? ''" (signedIn)="dialog.close(true)" />
      <div class="acts">
        <button type="button" class="btn quiet" (click)="leave()">
          {{ ended() ? 'Leave this page' : 'Not now' }}
        </button>
      </div>
    </div>
  `,
  styles: `
    p {
      margin: 8px 0 16px;
      color: var(--text-2);
    }
  `,
})
export class SignInDialog {
  protected readonly session = inject(SignInSession);
  protected readonly dialog = inject<DialogRef<boolean>>(DialogRef);

  protected ended(): boolean {
    return (this.session.endingIn() ?? 0) === 0;
  }

  protected leave(): void {
    const ended = this.ended();
    this.dialog.close(false);
    if (ended) goToSignIn();
  }
}
