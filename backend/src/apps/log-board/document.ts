import { ACCESS_TOKEN_TEXT, type DocumentTexts } from '../http/openapi.js';

/** What the log board's API document says of itself. */
export function logBoardDocument(): DocumentTexts {
  return {
    title: 'Slipway log board',
    description: [
      'Sign-in by session: `POST /api/auth/login` gives a token for `Authorization: Bearer`, which every other route asks for. An access token (`POST /api/auth/tokens`) is accepted in its place.',
      ACCESS_TOKEN_TEXT,
      'The WebSocket `/ws?token=` takes the same token, or a ticket; docs/log-board-socket.md has its messages.',
      'Every error has the one shape of `ErrorDto`; `code` is stable.',
    ],
    // Of the sign-in scheme: the first was HTTP Basic.
    version: '2.0.0',
    signIn: 'required',
  };
}
