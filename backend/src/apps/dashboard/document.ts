import { readProject } from '../../core/config/index.js';
import { ACCESS_TOKEN_TEXT, type DocumentTexts } from '../http/openapi.js';

/** What the dashboard's API document says of itself. */
export function dashboardDocument(): DocumentTexts {
  return {
    title: 'Slipway',
    description: [
      'Local Kubernetes clusters: kind on Docker or Podman.',
      'Names are in snake_case, times RFC 3339 in UTC, sizes bytes, percentages 0 to 100 (CPU: 100 per core).',
      'Long operations answer 202 with a job; poll `status_url`. Changes are also pushed over the WebSocket `/events`.',
      'Every error has the one shape of `ErrorDto`; `code` is stable. An address that is asked with a method it does not take answers 405 `method_not_allowed`, and lists those it takes in `Allow`.',
      'Requests of the same system user need no sign-in while Slipway listens on loopback and every engine runs on this machine itself (`APP_AUTH=auto`). All others need `Authorization: Bearer` with the token of `POST /api/auth/login`, or an access token (`POST /api/auth/tokens`).',
      ACCESS_TOKEN_TEXT,
    ],
    version: readProject().version,
    signIn: 'unless exempt',
  };
}
