import { Injectable } from '@angular/core';
import { Api, type GetParams, type GetPath, type GetResponse, type Reading } from '../../shared/api/api';

/** The URL at which the dashboard serves a route of the log board. */
export function atDashboard<TUrl extends string>(url: TUrl): TUrl {
  return url.replace(/^\/api\/(?!v1\/)/, '/api/v1/logs/') as TUrl;
}

/** The API for parts that read stored lines by the routes of the log board: here they are the dashboard's. */
@Injectable()
export class StoredLogsApi extends Api {
  override get<TPath extends GetPath, T extends GetParams<TPath>>(
    path: TPath,
    ...given: Reading<`GET ${TPath}`, T>
  ): Promise<GetResponse<TPath>> {
    return super.get(atDashboard(path), ...given);
  }
}
