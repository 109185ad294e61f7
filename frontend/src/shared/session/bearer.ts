import type { HttpErrorResponse, HttpHandlerFn, HttpInterceptorFn, HttpRequest } from '@angular/common/http';
import { inject } from '@angular/core';
import { catchError, from, mergeMap, throwError } from 'rxjs';
import { SignInAgain } from './sign-in-again';
import { SignInSession } from './sign-in-session';

/** Sends the session's token with each API call, and repeats a call that returned 401 once the session is restored. */
export const bearer: HttpInterceptorFn = (request, next) => {
  if (!request.url.startsWith('/api/')) return next(request);
  const session = inject(SignInSession);
  const again = inject(SignInAgain);
  return next(withToken(request, session)).pipe(
    catchError((thrown: unknown) =>
      (thrown as HttpErrorResponse).status === 401
        ? from(again.recover()).pipe(
            mergeMap((signedIn) => (signedIn ? next(withToken(request, session)) : throwError(() => thrown))),
          )
        : throwError(() => thrown),
    ),
  );
};

function withToken(request: HttpRequest<unknown>, { token }: SignInSession): Parameters<HttpHandlerFn>[0] {
  return token === undefined ? request : request.clone({ setHeaders: { authorization: `Bearer ${token}` } });
}
