import { Component, computed, inject } from '@angular/core';
import { Notice } from '../ui/notice';
import { SignInAgain } from './sign-in-again';
import { SignInSession } from './sign-in-session';

/** Announces the end of the session a minute before, with the way to go on. */
@Component({
  selector: 'sw-session-end-note',
  imports: [Notice],
  template: `
    @if (text(); as sentence) {
      <sw-notice tone="warning" icon="clock">
        {{ sentence }}
        <button action type="button" class="btn small" (click)="again.ask()">Sign in again</button>
      </sw-notice>
    }
    <!-- There before it speaks: a region that comes with its words is not read out everywhere. -->
    <span class="sr-only" role="status">{{ text() }}</span>
  `,
  styles: `
    sw-notice {
      margin: 12px max(var(--gutter), calc((100% - var(--page-max)) / 2 + var(--gutter))) 0;
    }
  `,
})
export class SessionEndNote {
  private readonly session = inject(SignInSession);
  protected readonly again = inject(SignInAgain);
  /** In steps of ten seconds: a figure that changes each second would be read out each second. */
  protected readonly text = computed(() => {
    if (this.session.ended()) return 'Your session has ended.';
    const seconds = this.session.endingIn();
    if (seconds === null) return '';
    return seconds > 50
      ? 'Your session ends in less than a minute.'
      : `Your session ends in less than ${Math.max(10, Math.ceil(seconds / 10) * 10)} seconds.`;
  });
}
