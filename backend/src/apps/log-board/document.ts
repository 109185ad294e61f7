import { ACCESS_TOKEN_TEXT, type DocumentTexts } from '../http/openapi.js';

export const LOG_BOARD_DOCUMENT: DocumentTexts = {
  title: 'Slipway log board',
  description: [
    'All routes except sign-in and `GET /api/health` require `Authorization: Bearer` with the session token of `POST /api/auth/login`, or an access token (`POST /api/auth/tokens`).',
    ACCESS_TOKEN_TEXT,
    'The WebSocket `/ws?token=` accepts the same token, or a ticket. docs/log-board-socket.md describes its messages.',
    'Every error has the format of `ErrorDto`; `code` is stable.',
  ],
  // Version 1 used HTTP Basic.
  version: '2.0.0',
  signIn: 'required',
};
