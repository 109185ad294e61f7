import { type HttpClient, HttpEventType } from '@angular/common/http';
import { catchError, filter, firstValueFrom, map, tap, throwError } from 'rxjs';
import { ApiProblem } from './api-problem';

/**
 * Fetches a file that the server streams. One that breaks off is none: the server ends it so where it is incomplete.
 * Rejects with an `ApiProblem`.
 * @param brokenOff what to say then
 */
export function wholeFile(
  http: HttpClient,
  url: string,
  params: Record<string, string | number | boolean>,
  brokenOff: string,
): Promise<Blob> {
  let began = false;
  const events = http.get(url, {
    params,
    responseType: 'blob',
    observe: 'events',
    reportDownloadProgress: true,
  });
  return firstValueFrom(
    events.pipe(
      tap(({ type }) => {
        began ||= type === HttpEventType.ResponseHeader || type === HttpEventType.DownloadProgress;
      }),
      filter((event) => event.type === HttpEventType.Response),
      map(({ body }) => body ?? new Blob()),
      catchError((thrown: unknown) => {
        const problem = ApiProblem.of(thrown);
        const isBroken = began && problem.code === 'offline';
        return throwError(() => (isBroken ? new ApiProblem('unreadable', brokenOff, 0) : problem));
      }),
    ),
  );
}

/** The time, for the name of a file, in UTC. */
export function fileTimestamp(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(':', '-');
}
