import { HttpClient, HttpEventType } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { catchError, filter, firstValueFrom, map, tap, throwError } from 'rxjs';
import { ApiProblem } from '../../../shared/api/api-problem';
import { saveFile } from '../../../shared/ui/save-file';
import { filterParameters, type LogQuery } from '../query/log-query';
import type { Download } from './options-menu';

/** Saves all lines of a query as a file, past what the page holds of them. Rejects with an `ApiProblem`. */
@Service()
export class ExportLines {
  private readonly http = inject(HttpClient);

  async save(query: LogQuery, sources: readonly number[], { format, gzip }: Download): Promise<void> {
    const file = await this.fetch({ ...filterParameters(query, sources), format, gzip });
    const ending = `${format === 'text' ? 'log' : 'ndjson'}${gzip ? '.gz' : ''}`;
    const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    saveFile(file, `slipway-${stamp}.${ending}`, file.type);
  }

  /** A file that breaks off is none: the server ends it so where it is not whole. */
  private fetch(params: ReturnType<typeof filterParameters>): Promise<Blob> {
    let began = false;
    const events = this.http.get('/api/export', {
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
          return throwError(() => (began && problem.code === 'offline' ? brokenOff() : problem));
        }),
      ),
    );
  }
}

function brokenOff(): ApiProblem {
  return new ApiProblem(
    'unreadable',
    'The file broke off before its end, so it was not saved: the search took too long, or the connection was lost. Choose a shorter period or fewer sources.',
    0,
  );
}
