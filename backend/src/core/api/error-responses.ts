import { STATUS_CODES } from 'node:http';
import { errorCodes, type ErrorCode } from '../errors/index.js';
import type { ErrorDto } from './responses.js';

/** A message of each code as it may read, for the documentation. */
const MESSAGES: Readonly<Record<ErrorCode, string>> = {
  invalid_input: 'The request cannot be used: workers must be a whole number from 0 to 20.',
  search_invalid:
    'This is not a regular expression: /a(b/: Unterminated group. Correct it, or search for it as plain text.',
  malformed_body: 'The body is not valid JSON.',
  malformed_request: 'What was sent is not a request of HTTP/1.1.',
  unauthorized: 'Unauthorized',
  insufficient_scope:
    'The access token has the scope read, and this request needs the scope full. Use an access token with the scope full, or sign in.',
  resource_forbidden: 'The cluster does not let its kubeconfig’s user list secrets.',
  forbidden_host: 'This address is not one of Slipway’s.',
  forbidden_origin: 'The request comes from a web page of another site.',
  forbidden_proxy: 'The request came through a proxy at 192.0.2.7, which Slipway does not trust.',
  route_not_found: 'There is nothing at this address.',
  cluster_not_found: 'There is no cluster called staging.',
  job_not_found: 'There is no job 12.',
  provision_log_not_found: 'Slipway has not created staging, and so has no log of it.',
  config_not_found: 'staging was not made by Slipway, and so has no saved config.',
  kubeconfig_not_found: 'staging has no nodes, and so no kubeconfig.',
  logs_not_found: 'staging has no nodes, and so no logs.',
  source_not_found: 'Source 17 does not exist. It was deleted and has no stored lines.',
  line_not_found:
    'Line 4212 of source 17 does not exist. It has expired, was deleted, or has not been collected yet.',
  session_not_found: 'There is no such session any more.',
  access_token_not_found: 'This access token does not exist. It has expired or was revoked before.',
  image_not_found: 'docker does not hold app:dev.',
  resource_not_found: 'There is no pod web-0 in the namespace shop.',
  resource_type_not_found: 'The cluster serves no certificates of cert-manager.io/v1.',
  addon_not_found: 'There is no release called kiali in staging.',
  chart_not_found: 'The repository has no chart called traefik in version 41.3.0.',
  forward_not_found: 'There is no such port-forward any more.',
  alert_not_found: 'There is no alert 3 any more.',
  saved_search_not_found: 'There is no saved search 3 any more.',
  method_not_allowed: 'This address takes GET, HEAD, and not POST. Cannot POST /api/v1/stats.',
  request_timeout: 'The request did not arrive in time.',
  cluster_exists: 'There is a cluster called staging in docker already.',
  cluster_busy: 'staging is busy: job 12 (create) is at work on it.',
  cluster_ambiguous: 'docker and podman each hold a cluster called staging. Say which with ?runtime=.',
  cluster_state: 'staging is creating; its kubeconfig cannot be had now.',
  port_taken:
    'Port 40123 on 127.0.0.1 is taken, and staging-control-plane needs it. End what listens there, and start staging again.',
  image_in_use: 'docker keeps kindest/node:v1.34.4: a container uses it.',
  volume_in_use: 'podman keeps the volume 4f0c2d1e: a container uses it.',
  kubeconfig_taken: '/home/me/.kube/config has a kind-staging already, and it is of another cluster.',
  kubeconfig_locked: '/home/me/.kube/config is locked: another program is writing it.',
  job_ended: 'Job 12 has ended already: succeeded.',
  resource_conflict:
    'The config map shop/settings was changed meanwhile. Read it again, and make your change there.',
  log_unreadable: 'The log of web cannot be read: it was made with the logging driver none.',
  pod_unowned:
    'Nobody would bring the pod shop/debug back: it has no owner. Send force to delete it all the same.',
  release_exists: 'There is a release called kiali in staging already.',
  release_busy: 'The release kiali is being upgraded by job 12.',
  page_expired: 'This page of the list is too old to go on from. Begin again.',
  precondition_failed: 'The config of staging was changed meanwhile.',
  payload_too_large: 'The request is too large: a body may have up to 256 kB.',
  unsupported_media_type: 'Send the body as application/json.',
  search_timeout:
    'The regex took too long and was stopped. Choose a shorter period or fewer sources, or search for plain text.',
  kubeconfig_unusable: '/home/me/.kube/config cannot be used: line 4 is not valid YAML.',
  config_refused: 'Invalid config. Line 4: nodes[0].role must be control-plane or worker.',
  archive_refused: 'This is not an image archive: it holds neither manifest.json nor index.json.',
  confirmation_required: 'This config reaches beyond its containers: /home/me is mounted.',
  resource_refused: 'The cluster refuses this: spec.replicas must be greater than or equal to 0.',
  values_refused: 'The chart refuses these values: controller.replicas must be a number.',
  chart_refused: 'This is not a chart: it holds no Chart.yaml.',
  too_many_requests: 'More than 120 changes a minute are too many. Wait a minute.',
  headers_too_large: 'The headers of the request are longer than 64 kB in all.',
  cluster_not_deleted: 'staging was not deleted: a container could not be removed.',
  demo_failure: 'The demo was told to fail here.',
  internal: 'Something went wrong inside Slipway. Its log has the details under the request id.',
  node_unchanged: 'docker could not start staging-worker: no space left on device.',
  image_not_loaded: 'staging-worker did not take app:dev.',
  node_unavailable: 'Nothing could be run in the node: it is paused.',
  image_not_pulled: 'The node image could not be pulled.',
  runtime_unavailable: 'docker does not answer.',
  provisioner_unavailable: 'kind is not on this machine, and it is what makes the clusters.',
  cluster_unreachable: 'The kubeconfig of staging could not be read from its control plane.',
  package_manager_unavailable: 'helm is not on this machine, and it is what installs addons.',
  repository_unreachable: 'https://charts.example.org does not answer.',
  kubeconfig_not_written: 'The folder /home/me/.kube cannot be written: its disk is read-only.',
  storage_unavailable: 'The data folder cannot be written: no room is left on its disk.',
  shutting_down: 'Slipway is stopping. Start it again first.',
};

/** The error responses of one status: their description, and an example of each code. */
export interface ErrorResponses {
  description: string;
  byCode: Record<string, { value: ErrorDto }>;
}

/** The error responses for a list of codes, by status, with statuses and codes in a fixed order. */
export function errorResponses(codes: readonly ErrorCode[]): Map<string, ErrorResponses> {
  const statuses = [...new Set(codes.map((code) => errorCodes[code].status))].sort((one, two) => one - two);
  return new Map(
    statuses.map((status) => {
      const own = codes.filter((code) => errorCodes[code].status === status).sort();
      return [
        String(status),
        {
          description: `${STATUS_CODES[status] ?? 'Error'}: ${own.map((code) => `\`${code}\``).join(', ')}`,
          byCode: Object.fromEntries(own.map((code) => [code, { value: exampleOf(status, code) }])),
        },
      ];
    }),
  );
}

function exampleOf(status: number, code: ErrorCode): ErrorDto {
  return {
    statusCode: status,
    error: STATUS_CODES[status] ?? 'Error',
    message: MESSAGES[code],
    code,
    details: detailsOf(code),
    request_id: '5f0c2d1e9a7b4c33',
  };
}

function detailsOf(code: ErrorCode): unknown {
  switch (code) {
    case 'invalid_input':
      return [{ field: 'workers', problem: 'must be a whole number from 0 to 20' }];
    case 'method_not_allowed':
      return { allowed: ['GET', 'HEAD'] };
    case 'cluster_busy':
      return { job_id: 12 };
    case 'job_ended':
      return { job_id: 12, state: 'succeeded' };
    case 'cluster_ambiguous':
      return { runtimes: ['docker', 'podman'] };
    case 'cluster_state':
      return { state: 'creating' };
    case 'precondition_failed':
      return { etag: '"9f86d081884c7d65"' };
    default:
      return null;
  }
}
