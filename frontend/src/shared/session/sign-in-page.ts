import { Component, inject, input, signal } from '@angular/core';
import { ApiProblem } from '../api/api-problem';
import type { PageSession } from '../api/api-types';
import { Brand } from '../ui/brand';
import { PAGE_SESSION } from './page-session';
import { SignInForm } from './sign-in-form';
import { SignInSession } from './sign-in-session';
import { returnUrl } from './return-url';

/** What the terminal prints at start ends with it: behind `#`, which browsers send to no server. */
const LINK = /^#link=([\w-]+)$/;
const USED_UP =
  'This link has expired or was used already. Sign in with your password, or restart Slipway for a new link.';

/** The page `/login`. Who has a session already goes on at once, also who came by a link from elsewhere. */
@Component({
  selector: 'sw-sign-in-page',
  imports: [Brand, SignInForm],
  templateUrl: './sign-in-page.html',
  styleUrl: './sign-in-page.scss',
})
export class SignInPage {
  private readonly session = inject(SignInSession);
  /** What stands beside the name of the product; empty on the dashboard. */
  readonly application = input('');
  /** What one signs in to, in a sentence. */
  readonly purpose = input('');
  /** The page to go to where none was asked for. */
  readonly home = input('/');

  protected readonly looking = signal(true);
  protected readonly goesOn = signal(false);
  /** Why the link that was followed did not sign in. */
  protected readonly linkProblem = signal('');
  protected readonly host = window.location.host;
  protected readonly rails = [-326, -263, -200, -137, -74, -11, 52, 115, 178, 241, 304];

  constructor() {
    void this.look(inject(PAGE_SESSION));
  }

  /** A load of its own: the server sees the cookie, and the page begins with nothing left from before. */
  protected goOn(): void {
    const { search, hash } = window.location;
    const target = returnUrl(search, this.home());
    // Browsers carry what is behind # over from the page that the server sent here.
    window.location.replace(target.includes('#') ? target : target + hash);
  }

  private async look(page: PageSession): Promise<void> {
    const link = LINK.exec(window.location.hash)?.[1];
    if (link !== undefined) {
      // Out of the history, and not carried over to the next page.
      window.history.replaceState(null, '', window.location.pathname + window.location.search);
    }
    const restored = (page === 'held' || page === 'unseen') && (await this.session.restore());
    const signedIn = restored || (link !== undefined && (await this.signInBy(link)));
    // Where no sign-in is needed, the link still signs in to the other application.
    if (signedIn || page === 'open') {
      this.goesOn.set(true);
      this.goOn();
    }
    this.looking.set(false);
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
