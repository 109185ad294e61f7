import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { Api, apiUrl } from '../api/api';
import { fileTimestamp, wholeFile } from '../api/whole-file';
import { saveFile } from '../ui/save-file';
import { filterParameters, type LogQuery, type SearchScope } from './log-query';

export interface Download {
  format: 'text' | 'ndjson';
  gzip: boolean;
}

const BROKEN_OFF = $localize`The download was incomplete: the search timed out, or the connection was lost. Select a shorter time range or fewer sources.`;

/** Saves all lines of a query as a file, past what the page holds of them. Rejects with an `ApiProblem`. */
@Service()
export class ExportLines {
  private readonly api = inject(Api);
  private readonly http = inject(HttpClient);

  async save(query: LogQuery, sources: SearchScope, { format, gzip }: Download): Promise<void> {
    const parameters = { ...filterParameters(query, sources), format, gzip };
    const url = apiUrl(this.api.at('/api/export') as '/api/export', parameters);
    const file = await wholeFile(this.http, url, BROKEN_OFF);
    const ending = `${format === 'text' ? 'log' : 'ndjson'}${gzip ? '.gz' : ''}`;
    saveFile(file, `slipway-${fileTimestamp()}.${ending}`, file.type);
  }
}
