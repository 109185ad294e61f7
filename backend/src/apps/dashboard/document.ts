import { readProject } from '../../core/config/index.js';
import { StoredLinesModule } from '../../modules/log-search/index.js';
import { ACCESS_TOKEN_TEXT, type DocumentTexts } from '../http/openapi.js';

export const DASHBOARD_DOCUMENT: DocumentTexts = {
  title: 'Slipway',
  description: [
    'Kubernetes clusters: those of your kubeconfig, and local ones of kind on Docker or Podman.',
    'Names are in snake_case, times RFC 3339 in UTC, sizes bytes, percentages 0 to 100 (CPU: 100 per core).',
    'Long operations return 202 with a job; poll `status_url`. The WebSocket `/events` also pushes changes.',
    'Every error has the format of `ErrorDto`; `code` is stable. A request that exceeds a limit gets 429 `too_many_requests`.',
    'Requests of the same system user need no sign-in if Slipway listens on loopback and every engine runs on this machine (`APP_AUTH=auto`). All others need `Authorization: Bearer` with the token of `POST /api/auth/login`, or an access token (`POST /api/auth/tokens`).',
    ACCESS_TOKEN_TEXT,
    'The routes of stored log lines are below `/api/v1/logs` (`/sources`, `/lines`, `/search`, `/histogram`, `/patterns`, `/fields`, `/completions`, `/export`). The document of the log board describes them below `/api`.',
  ],
  version: readProject().version,
  signIn: 'unless exempt',
  omits: [StoredLinesModule],
};
