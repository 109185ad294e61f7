import type { Foundation } from '../core.module.js';
import { createApplication, type Application, type ApplicationOptions } from '../http/application.js';
import { LogBoardModule } from './log-board.module.js';

/** Addresses that the page's own router knows; others are served by it too, as "not found". */
const PAGES = [/^\/logs$/, /^\/sessions$/];

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
      document: {
        title: 'Slipway log board',
        description: [
          'Sign-in by session: `POST /api/auth/login` gives a token for `Authorization: Bearer`, which every other route asks for.',
          'The WebSocket `/ws?token=` takes the same token, or a ticket; docs/log-board-socket.md has its messages.',
          'Every error has the one shape of `ErrorDto`; `code` is stable.',
        ],
        // Of the sign-in: the first was HTTP Basic.
        version: '2.0.0',
        bearer: true,
      },
    },
    options,
  );
}
