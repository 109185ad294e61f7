import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, effect, inject } from '@angular/core';
import { SessionRights } from './may-change';
import { SignInForm } from './sign-in-form';
import { type SignInReason, SignInSession } from './sign-in-session';
import { goToSignIn } from './return-url';
import { PlainButton } from '../ui/plain-button';

/** Prompts for the password if the session has ended or is about to end, or for a call that needs the password. */
@Component({
  selector: 'sw-sign-in-dialog',
  imports: [SignInForm, PlainButton],
  template: `
    <div class="alert-dialog">
      <h2 id="sign-in-title">{{ text().title }}</h2>
      <p id="sign-in-text" class="soft">{{ text().body }}</p>
      <sw-sign-in-form
        [username]="session.user()?.username ?? ''"
        [full]="rights.mayChange()"
        (signedIn)="dialog.close(true)"
      >
        <button class="btn quiet" (click)="leave()">{{ text().leave }}</button>
      </sw-sign-in-form>
    </div>
  `,
  styles: `
    p {
      margin: 6px 0 18px;
    }
  `,
  host: { '(keydown.escape)': 'escape($event)' },
})
export class SignInDialog {
  protected readonly session = inject(SignInSession);
  protected readonly rights = inject(SessionRights);
  protected readonly dialog = inject<DialogRef<boolean>>(DialogRef);
  private readonly reason = inject<SignInReason>(DIALOG_DATA);
  protected readonly text = computed(() => {
    if (this.reason === 'password' && this.session.ended() === null) {
      return {
        title: $localize`Sign in with the password`,
        body: $localize`Access tokens and sign-in links stay valid when a password is needed, so creating them requires a sign-in with it.`,
        leave: $localize`Cancel`,
      };
    }
    if (this.reason === 'recent' && this.session.ended() === null) {
      return {
        title: $localize`Confirm with your password`,
        body: $localize`You entered it more than 15 minutes ago, or signed in with a link. This action needs it again. Your input on the page stays.`,
        leave: $localize`Cancel`,
      };
    }
    switch (this.session.ended()) {
      case null:
        return {
          title: $localize`Your session ends soon`,
          body: $localize`Sign in again to continue without interruption.`,
          leave: $localize`Cancel`,
        };
      case 'expired':
        return {
          title: $localize`Your session has ended`,
          body: $localize`Sign in again to continue on this page.`,
          leave: $localize`Leave this page`,
        };
      case 'elsewhere':
        return {
          title: $localize`Your session was ended elsewhere`,
          body: $localize`It was signed out, or ended on the Sessions page. Sign in again to continue on this page.`,
          leave: $localize`Leave this page`,
        };
    }
  });

  constructor() {
    const before = this.mark();
    // Another tab signed in: tabs share the session cookie.
    effect(() => {
      if (this.mark() !== before) this.dialog.close(true);
    });
  }

  /** A renewal brings another token, but proves no password. */
  private mark(): string | undefined {
    return this.reason === 'recent' ? this.session.user()?.session.id : this.session.token;
  }

  protected leave(): void {
    const ended = this.session.ended() !== null;
    this.dialog.close(false);
    if (ended) goToSignIn();
  }

  /** Not once the session has ended: one key would discard what was typed on the page. */
  protected escape(event: Event): void {
    // Otherwise, the dialog below, with the input of the user, gets the key and closes too.
    event.stopPropagation();
    if (this.session.ended() === null) this.dialog.close(false);
  }
}
