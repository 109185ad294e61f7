import { LogIntake } from '../../modules/log-sources/index.js';
import type { Foundation } from '../core.module.js';
import { createApplication, type Application, type ApplicationOptions } from '../http/application.js';
import { LOG_BOARD_DOCUMENT } from './document.js';
import { LogBoardModule } from './log-board.module.js';

export const LOG_BOARD_PAGES = [/^\/(?:logs|saved-searches|alerts|storage|sessions)$/];

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
      publicUrl: foundation.configuration.values.logBoardPublicUrl,
      frontend: 'log-board',
      home: '/logs',
      pages: LOG_BOARD_PAGES,
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
