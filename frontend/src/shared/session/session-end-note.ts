import { Component, computed, inject } from '@angular/core';
import { Notice } from '../ui/notice';
import { SignInAgain } from './sign-in-again';
import { SignInSession } from './sign-in-session';

/** Announces the end of the session a minute before, with the way to go on. */
@Component({
  selector: 'sw-session-end-note',
  imports: [Notice],
  template: `
    @if (session.endingIn() !== null) {
      <sw-notice tone="warning" icon="clock">
        <span role="status">{{ text() }}</span>
        <button action type="button" class="btn small" (click)="again.ask()">Sign in again</button>
      </sw-notice>
    }
  `,
})
export class SessionEndNote {
  protected readonly session = inject(SignInSession);
  protected readonly again = inject(SignInAgain);
  /** Steps of ten seconds: a figure that changes each second would be read aloud each second. */
  protected readonly text = computed(() => {
    const seconds = this.session.endingIn() ?? 0;
    if (seconds === 0) return 'Your session has ended.';
    return `Your session ends in less than ${Math.max(10, Math.ceil(seconds / 10) * 10)} seconds.`;
  });
}
