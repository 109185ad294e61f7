import { inject, Service } from '@angular/core';
import { ApiProblem } from '../api/api-problem';
import { Toaster } from '../ui/toaster';
import { SignInSession } from './sign-in-session';
import { goToSignIn } from './return-url';

/** Ends this session, and leaves for the sign-in. */
@Service()
export class SignOut {
  private readonly session = inject(SignInSession);
  private readonly toaster = inject(Toaster);

  async signOut(): Promise<void> {
    try {
      await this.session.signOut();
    } catch (thrown) {
      // A session that has ended already is what was wanted; of any other the person has to know that it goes on.
      if (ApiProblem.of(thrown).status !== 401) {
        this.toaster.problem(thrown, 'You are still signed in.');
        return;
      }
    }
    goToSignIn();
  }
}
