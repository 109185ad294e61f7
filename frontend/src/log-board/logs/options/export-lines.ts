import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import { saveFile } from '../../../shared/ui/save-file';
import { filterParameters, type LogQuery } from '../query/log-query';
import type { Download } from './options-menu';

/** Saves all lines of a query as a file, past what the page holds of them. Rejects with an `ApiProblem`. */
@Service()
export class ExportLines {
  private readonly http = inject(HttpClient);

  async save(query: LogQuery, sources: readonly number[], { format, gzip }: Download): Promise<void> {
    const params = { ...filterParameters(query, sources), format, gzip };
    const file = await firstValueFrom(this.http.get('/api/export', { params, responseType: 'blob' }));
    const ending = `${format === 'text' ? 'log' : 'ndjson'}${gzip ? '.gz' : ''}`;
    const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    saveFile(file, `slipway-${stamp}.${ending}`, file.type);
  }
}
