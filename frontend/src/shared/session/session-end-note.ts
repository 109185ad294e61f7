import { Component, computed, inject } from '@angular/core';
import { Notice } from '../ui/notice';
import { SignInAgain } from './sign-in-again';
import { SignInSession } from './sign-in-session';
import { PlainButton } from '../ui/plain-button';

/** Warns five minutes before the session ends, with a button to sign in again over the page. */
@Component({
  selector: 'sw-session-end-note',
  imports: [Notice, PlainButton],
  template: `
    @if (text(); as sentence) {
      <div class="band">
        <sw-notice tone="warning" icon="clock">
          {{ sentence }}
          <button action class="btn small" (click)="again.ask()" i18n>Sign in again</button>
        </sw-notice>
      </div>
    }
    <!-- Always present: some screen readers ignore a live region that is added with its text. -->
    <span class="sr-only" role="status">{{ text() }}</span>
  `,
})
export class SessionEndNote {
  private readonly session = inject(SignInSession);
  protected readonly again = inject(SignInAgain);
  /** In steps of minutes, then of ten seconds, because screen readers read each change. */
  protected readonly text = computed(() => {
    if (this.session.ended()) return $localize`Your session has ended.`;
    const seconds = this.session.endingIn();
    if (seconds === null) return '';
    if (seconds > 60) {
      const minutes = Math.ceil(seconds / 60);
      return $localize`Your session ends in less than ${minutes}:minutes: minutes.`;
    }
    return seconds > 50
      ? $localize`Your session ends in less than a minute.`
      : $localize`Your session ends in less than ${Math.max(10, Math.ceil(seconds / 10) * 10)}:seconds: seconds.`;
  });
}
