import { inject } from '@angular/core';
import type { CanActivateChildFn } from '@angular/router';
import { PAGE_SESSION } from './page-session';
import { SignInSession } from './sign-in-session';
import { goToSignIn } from './return-url';

/** Route guard: restores the session, or opens the sign-in page. */
export const signedIn: CanActivateChildFn = async () => {
  const session = inject(SignInSession);
  if (inject(PAGE_SESSION) === 'open' || session.user() !== null || (await session.restore())) return true;
  goToSignIn();
  return false;
};
