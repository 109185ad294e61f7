import { readProject, type Configuration } from '../../core/config/index.js';
import type { DocumentTexts } from '../http/openapi.js';
import { needsSignIn } from '../reach.js';

/** What the dashboard's API document says of itself. */
export function dashboardDocument(configuration: Configuration): DocumentTexts {
  const signIn = needsSignIn(configuration);
  return {
    title: 'Slipway',
    description: [
      'Local Kubernetes clusters: kind on Docker or Podman.',
      'Names are in snake_case, times RFC 3339 in UTC, sizes bytes, percentages 0 to 100 (CPU: 100 per core).',
      'Long operations answer 202 with a job; poll `status_url`. Changes are also pushed over the WebSocket `/events`.',
      'Every error has the one shape of `ErrorDto`; `code` is stable. An address that is asked with a method it does not take answers 405 `method_not_allowed`, and lists those it takes in `Allow`.',
      ...(signIn
        ? [
            'Others than this machine reach this dashboard: every route asks for `Authorization: Bearer`, with the token that `POST /api/auth/login` gives.',
          ]
        : []),
    ],
    version: readProject().version,
    signIn,
  };
}
