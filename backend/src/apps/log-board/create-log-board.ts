import { LogIntake } from '../../modules/log-sources/index.js';
import type { Foundation } from '../core.module.js';
import { createApplication, type Application, type ApplicationOptions } from '../http/application.js';
import type { PageRoute } from '../http/pages.js';
import { LOG_BOARD_DOCUMENT } from './document.js';
import { LogBoardModule } from './log-board.module.js';

/** Paths of the page's router. It also serves all other paths, as "not found". */
const PAGES: readonly PageRoute[] = [
  { path: /^\/logs$/, parts: ['log-board/shell/frame', 'log-board/logs/logs-page'] },
  {
    path: /^\/saved-searches$/,
    parts: ['log-board/shell/frame', 'log-board/saved-searches/saved-searches-page'],
  },
  { path: /^\/alerts$/, parts: ['log-board/shell/frame', 'log-board/alerts/alerts-page'] },
  { path: /^\/storage$/, parts: ['log-board/shell/frame', 'log-board/storage/storage-page'] },
  { path: /^\/sessions$/, parts: ['log-board/shell/frame', 'shared/session/sessions/sessions-page'] },
];

/** Creates the log board without listening. */
export async function createLogBoard(
  foundation: Foundation,
  options: ApplicationOptions = {},
): Promise<Application> {
  return await createApplication(
    foundation,
    {
      module: LogBoardModule.with(foundation),
      port: foundation.configuration.values.logBoardPort,
      frontend: 'log-board',
      home: '/logs',
      pages: PAGES,
      beside: {
        path: '/dashboard',
        port: foundation.configuration.values.port,
        publicUrl: foundation.configuration.values.publicUrl,
        landing: '/clusters',
        isHere: foundation.applications.includes('dashboard'),
      },
      document: LOG_BOARD_DOCUMENT,
      begin: (app) => {
        // Not awaited: the server is available immediately, and its first requests wait for the stored logs.
        void app.get(LogIntake).start();
        return Promise.resolve();
      },
    },
    options,
  );
}
