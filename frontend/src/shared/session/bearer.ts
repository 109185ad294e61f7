import type { HttpHandlerFn, HttpInterceptorFn, HttpRequest } from '@angular/common/http';
import { inject } from '@angular/core';
import { catchError, from, mergeMap, throwError, timer } from 'rxjs';
import { ApiProblem } from '../api/api-problem';
import { served } from '../api/base-path';
import { SignInAgain } from './sign-in-again';
import { type SignInReason, SignInSession } from './sign-in-session';

/** How long a page waits while Slipway looks for engines, which takes it 5 s at most. */
const LOOKING_MS = 1000;

/** Errors of calls that succeed after a sign-in with the password. */
const REASONS: ReadonlyMap<string, SignInReason> = new Map([
  ['password_required', 'password'],
  ['reauthentication_required', 'recent'],
]);

/**
 * Sends the session's token with each API call. Repeats a call that returned 401 once the session is restored, and one that
 * needs the password, or needs it again, once the user has signed in with it.
 */
export const bearer: HttpInterceptorFn = (request, next) => {
  if (!request.url.startsWith(served('/api/'))) return next(request);
  const session = inject(SignInSession);
  const again = inject(SignInAgain);
  const send = (): ReturnType<HttpHandlerFn> =>
    next(withToken(request, session)).pipe(
      catchError((thrown: unknown) => {
        const { status, code } = ApiProblem.of(thrown);
        if (code === 'looking_for_engines') return timer(LOOKING_MS).pipe(mergeMap(send));
        const reason = REASONS.get(code);
        if (status !== 401 && reason === undefined) return throwError(() => thrown);
        return from(reason === undefined ? again.recover() : again.ask(reason)).pipe(
          mergeMap((signedIn) => (signedIn ? next(withToken(request, session)) : throwError(() => thrown))),
        );
      }),
    );
  return send();
};

function withToken(request: HttpRequest<unknown>, { token }: SignInSession): Parameters<HttpHandlerFn>[0] {
  return token === undefined ? request : request.clone({ setHeaders: { authorization: `Bearer ${token}` } });
}
