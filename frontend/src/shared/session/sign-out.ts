import { inject, Service } from '@angular/core';
import { ApiProblem } from '../api/api-problem';
import { Toaster } from '../ui/toaster';
import { SignInSession } from './sign-in-session';
import { goToSignIn } from './return-url';

@Service()
export class SignOut {
  private readonly session = inject(SignInSession);
  private readonly toaster = inject(Toaster);

  async signOut(): Promise<void> {
    try {
      await this.session.signOut();
    } catch (thrown) {
      // 401: the session has ended already.
      if (ApiProblem.of(thrown).status !== 401) {
        this.toaster.problem(thrown, $localize`Could not sign out.`);
        return;
      }
    }
    goToSignIn();
  }
}
