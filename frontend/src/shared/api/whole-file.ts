import { type HttpClient, HttpEventType } from '@angular/common/http';
import { catchError, filter, firstValueFrom, map, tap, throwError } from 'rxjs';
import { ApiProblem } from './api-problem';

/**
 * Downloads a streamed file. The server aborts the stream if the file is incomplete. @throws ApiProblem
 * @param incomplete the message in that case
 */
export function wholeFile(http: HttpClient, url: string, incomplete: string): Promise<Blob> {
  let isStarted = false;
  const events = http.get(url, {
    responseType: 'blob',
    observe: 'events',
    reportDownloadProgress: true,
  });
  return firstValueFrom(
    events.pipe(
      tap(({ type }) => {
        isStarted ||= type === HttpEventType.ResponseHeader || type === HttpEventType.DownloadProgress;
      }),
      filter((event) => event.type === HttpEventType.Response),
      map(({ body }) => body ?? new Blob()),
      catchError((thrown: unknown) => {
        const problem = ApiProblem.of(thrown);
        const isIncomplete = isStarted && problem.code === 'offline';
        return throwError(() => (isIncomplete ? new ApiProblem('unreadable', incomplete, 0) : problem));
      }),
    ),
  );
}

/** The UTC time for a file name. */
export function fileTimestamp(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(':', '-');
}
