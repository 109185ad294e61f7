import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { apiUrl } from '../../../shared/api/api';
import { fileTimestamp, wholeFile } from '../../../shared/api/whole-file';
import { saveFile } from '../../../shared/ui/save-file';
import { filterParameters, type LogQuery, type SearchScope } from '../../../shared/search/log-query';
import type { Download } from './options-menu';

const BROKEN_OFF = $localize`The download was incomplete: the search timed out, or the connection was lost. Select a shorter time range or fewer sources.`;

/** Saves all lines of a query as a file, past what the page holds of them. Rejects with an `ApiProblem`. */
@Service()
export class ExportLines {
  private readonly http = inject(HttpClient);

  async save(query: LogQuery, sources: SearchScope, { format, gzip }: Download): Promise<void> {
    const url = apiUrl('/api/export', { ...filterParameters(query, sources), format, gzip });
    const file = await wholeFile(this.http, url, BROKEN_OFF);
    const ending = `${format === 'text' ? 'log' : 'ndjson'}${gzip ? '.gz' : ''}`;
    saveFile(file, `slipway-${fileTimestamp()}.${ending}`, file.type);
  }
}
