import { Injectable } from '@angular/core';
import { Api } from '../../shared/api/api';

/** The API for parts that read stored lines by the routes of the log board: here they are the dashboard's. */
@Injectable()
export class StoredLogsApi extends Api {
  override at(url: string): string {
    return url.replace(/^\/api\/(?!v1\/)/, '/api/v1/logs/');
  }
}
