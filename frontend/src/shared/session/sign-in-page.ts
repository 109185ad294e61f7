import { Component, inject, input, signal } from '@angular/core';
import { Mark } from '../ui/mark';
import { SignInForm } from './sign-in-form';
import { SignInSession } from './sign-in-session';
import { wayBack } from './way-back';

/** The page `/login`. Who has a session already, and came by a link from elsewhere, goes on at once. */
@Component({
  selector: 'sw-sign-in-page',
  imports: [Mark, SignInForm],
  templateUrl: './sign-in-page.html',
  styleUrl: './sign-in-page.scss',
})
export class SignInPage {
  private readonly session = inject(SignInSession);
  /** What stands beside the name of the product; empty on the dashboard. */
  readonly product = input('');
  /** What one signs in to, in a sentence. */
  readonly purpose = input('');
  /** The page to go to where none was asked for. */
  readonly home = input('/');

  protected readonly looking = signal(true);
  protected readonly host = window.location.host;

  constructor() {
    // A browser keeps the cookie from a page that was reached by a foreign link, but not from this request.
    void this.session.restore().then((goesOn) => {
      if (goesOn) this.goOn();
      else this.looking.set(false);
    });
  }

  /** A load of its own: the server sees the cookie, and the page begins with nothing left from before. */
  protected goOn(): void {
    window.location.replace(wayBack(window.location.search, this.home()));
  }
}
