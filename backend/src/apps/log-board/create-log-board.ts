import { LogIntake } from '../../modules/log-sources/index.js';
import type { Foundation } from '../core.module.js';
import { createApplication, type Application, type ApplicationOptions } from '../http/application.js';
import type { PageRoute } from '../http/pages.js';
import { logBoardDocument } from './document.js';
import { LogBoardModule } from './log-board.module.js';

/** Addresses that the page's own router knows; others are served by it too, as "not found". */
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

/** Builds the log board: everything but listening. */
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
      },
      document: logBoardDocument(),
      begin: (app) => {
        // Not waited for: the page is there at once, and its first questions wait for the history.
        void app.get(LogIntake).start();
        return Promise.resolve();
      },
    },
    options,
  );
}
