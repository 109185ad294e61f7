import { Component, inject, input, signal } from '@angular/core';
import { ApiProblem } from '../api/api-problem';
import type { PageSession } from '../api/api-types';
import { served } from '../api/base-path';
import { Brand } from '../ui/brand';
import { PAGE_SESSION } from './page-session';
import { SignInForm } from './sign-in-form';
import { SignInSession } from './sign-in-session';
import { returnUrl } from './return-url';

/** The one-time link that Slipway prints at start. Browsers do not send the fragment to servers. */
const LINK = /^#link=([\w-]+)$/;
const USED_UP = $localize`This link has expired or was already used. Sign in with your password, or restart Slipway for a new link.`;

/** How often the page reloads until Slipway has found the engines, which takes it 5 s at most. */
const LOOKING_MS = 1000;

/** The page `/login`. With a valid session or a one-time link, it opens the return URL at once. */
@Component({
  selector: 'sw-sign-in-page',
  imports: [Brand, SignInForm],
  templateUrl: './sign-in-page.html',
  styleUrl: './sign-in-page.scss',
})
export class SignInPage {
  private readonly session = inject(SignInSession);
  /** Name of the application beside the product's; empty on the dashboard. */
  readonly application = input('');
  readonly purpose = input('');
  readonly home = input('/');

  protected readonly checking = signal(true);
  protected readonly redirecting = signal(false);
  protected readonly looking = signal(false);
  protected readonly linkProblem = signal('');
  protected readonly host = window.location.host;
  protected readonly rails = [-326, -263, -200, -137, -74, -11, 52, 115, 178, 241, 304];

  constructor() {
    void this.check(inject(PAGE_SESSION));
  }

  /** By a full page load, so that the server sees the cookie. */
  protected redirect(): void {
    const { search, hash } = window.location;
    const target = returnUrl(search, this.home());
    // The fragment of a page that the server redirected here.
    window.location.replace(served(target.includes('#') ? target : target + hash));
  }

  private async check(page: PageSession): Promise<void> {
    const link = LINK.exec(window.location.hash)?.[1];
    if (link !== undefined) {
      // Removes the secret from the history.
      window.history.replaceState(null, '', window.location.pathname + window.location.search);
    }
    const restored = (page === 'held' || page === 'unseen') && (await this.session.restore());
    const signedIn = restored || (link !== undefined && (await this.signInBy(link)));
    // If sign-in is off here, the link still signs in to the other application.
    if (signedIn || page === 'open') {
      this.redirecting.set(true);
      this.redirect();
    }
    if (!signedIn && page === 'looking') {
      this.looking.set(true);
      setTimeout(() => window.location.reload(), LOOKING_MS);
      return;
    }
    this.checking.set(false);
  }

  private async signInBy(link: string): Promise<boolean> {
    try {
      await this.session.signInByLink(link);
      return true;
    } catch (thrown) {
      const problem = ApiProblem.of(thrown);
      this.linkProblem.set(problem.status === 401 ? USED_UP : problem.message);
      return false;
    }
  }
}
