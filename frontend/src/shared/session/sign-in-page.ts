import { Component, inject, input, signal } from '@angular/core';
import { Brand } from '../ui/brand';
import { PAGE_SESSION } from './page-session';
import { SignInForm } from './sign-in-form';
import { SignInSession } from './sign-in-session';
import { wayBack } from './way-back';

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
  protected readonly host = window.location.host;
  protected readonly rails = [-326, -263, -200, -137, -74, -11, 52, 115, 178, 241, 304];

  constructor() {
    void this.look(inject(PAGE_SESSION) === 'none');
  }

  /** A load of its own: the server sees the cookie, and the page begins with nothing left from before. */
  protected goOn(): void {
    const { search, hash } = window.location;
    const target = wayBack(search, this.home());
    // Browsers carry what is behind # over from the page that the server sent here.
    window.location.replace(target.includes('#') ? target : target + hash);
  }

  private async look(isKnown: boolean): Promise<void> {
    if (!isKnown && (await this.session.restore())) {
      this.goesOn.set(true);
      this.goOn();
    }
    this.looking.set(false);
  }
}
