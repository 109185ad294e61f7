import { DialogRef } from '@angular/cdk/dialog';
import { Component, computed, effect, inject } from '@angular/core';
import { SignInForm } from './sign-in-form';
import { SignInSession } from './sign-in-session';
import { goToSignIn } from './return-url';

/** Over the page whose session ended: the password again, and everything goes on as it stands. */
@Component({
  selector: 'sw-sign-in-dialog',
  imports: [SignInForm],
  template: `
    <div class="alert-dialog">
      <h2 id="sign-in-title">{{ words().title }}</h2>
      <p id="sign-in-text">{{ words().text }}</p>
      <sw-sign-in-form [username]="session.user()?.username ?? ''" (signedIn)="dialog.close(true)">
        <button type="button" class="btn quiet" (click)="leave()">{{ words().leave }}</button>
      </sw-sign-in-form>
    </div>
  `,
  styles: `
    p {
      margin: 6px 0 18px;
      color: var(--text-2);
    }
  `,
  host: { '(keydown.escape)': 'escape()' },
})
export class SignInDialog {
  protected readonly session = inject(SignInSession);
  protected readonly dialog = inject<DialogRef<boolean>>(DialogRef);
  protected readonly words = computed(() => {
    switch (this.session.ended()) {
      case null:
        return {
          title: 'Your session ends soon',
          text: 'Sign in again now, and nothing is interrupted.',
          leave: 'Not now',
        };
      case 'in time':
        return {
          title: 'Your session has ended',
          text: 'Sign in again, and this page goes on as it is.',
          leave: 'Leave this page',
        };
      case 'elsewhere':
        return {
          title: 'Your session was ended elsewhere',
          text: 'Somebody signed out, or ended it from the list of sessions. Sign in again, and this page goes on as it is.',
          leave: 'Leave this page',
        };
    }
  });

  constructor() {
    const { token } = this.session;
    // Signed in again by another tab, whose cookie is this one's too.
    effect(() => {
      if (this.session.token !== token) this.dialog.close(true);
    });
  }

  protected leave(): void {
    const ended = this.session.ended() !== null;
    this.dialog.close(false);
    if (ended) goToSignIn();
  }

  /** Never away from a page whose session has ended: what was typed there would be lost by one key. */
  protected escape(): void {
    if (this.session.ended() === null) this.dialog.close(false);
  }
}
