import { STATUS_CODES } from 'node:http';
import { errorCodes, type ErrorCode } from '../errors/index.js';
import type { ErrorDto } from './responses.js';

/** An example message for each code, for the API documentation. */
const MESSAGES: Readonly<Record<ErrorCode, string>> = {
  invalid_input: 'The request is invalid: workers must be a whole number from 0 to 20.',
  search_invalid:
    'The regular expression is invalid: /a(b/: Unterminated group. Correct it, or search for plain text.',
  malformed_body: 'The body is not valid JSON.',
  malformed_request: 'The request is not valid HTTP/1.1.',
  unauthorized: 'Unauthorized',
  looking_for_engines: 'Slipway is looking for engines, and does not know yet whether you need a password.',
  insufficient_scope:
    'The access token has the scope read, and this request needs the scope full. Use an access token with the scope full, or sign in.',
  changes_off: 'Changes are off for cluster prod. Allow them in its settings first.',
  consent_required:
    'Context prod runs aws to sign in. Slipway runs it after you have allowed exactly this command.',
  password_required: 'You are not signed in with the password.',
  reauthentication_required: 'You entered the password more than 15 minutes ago.',
  resource_forbidden: 'The user of the kubeconfig cannot list secrets in this cluster.',
  forbidden_host: 'Slipway is not served under this host name.',
  forbidden_origin: 'The request comes from a web page of another site.',
  forbidden_proxy: 'The request came through a proxy at 192.0.2.7, which Slipway does not trust.',
  route_not_found: 'This URL does not exist.',
  cluster_not_found: 'Cluster staging does not exist.',
  job_not_found: 'Job 12 does not exist.',
  journal_entry_not_found: 'Journal entry 42 does not exist. Slipway deletes the oldest entries.',
  provision_log_not_found: 'Slipway did not create staging and has no provision log of it.',
  context_not_found: 'No file of KUBECONFIG has a context prod.',
  config_not_found: 'Slipway did not create staging and has no config of it.',
  kubeconfig_not_found: 'staging has no nodes, so it has no kubeconfig.',
  logs_not_found: 'staging has no nodes, so it has no logs.',
  source_not_found: 'Source 17 does not exist. It was deleted and has no stored lines.',
  line_not_found:
    'Line 4212 of source 17 does not exist. It has expired, was deleted, or has not been collected yet.',
  session_not_found: 'The session does not exist or has ended.',
  access_token_not_found: 'The access token does not exist. It has expired or was revoked.',
  image_not_found: 'Image app:dev does not exist in docker.',
  resource_not_found: 'Pod web-0 does not exist in namespace shop.',
  resource_type_not_found: 'The cluster does not serve certificates in cert-manager.io/v1.',
  addon_not_found: 'Release kiali does not exist in staging.',
  chart_not_found: 'Chart traefik 41.3.0 does not exist in the repository.',
  file_not_found: '/etc/nginx/nginx.conf does not exist in the container.',
  forward_not_found: 'The port-forward does not exist or has ended.',
  alert_not_found: 'Alert 3 does not exist.',
  saved_search_not_found: 'Saved search 3 does not exist.',
  request_timeout: 'The request did not arrive in time.',
  cluster_exists: 'Cluster staging already exists in docker.',
  cluster_busy: 'staging is busy: job 12 (create) is running.',
  cluster_ambiguous: 'docker and podman both have a cluster staging. Choose one with ?runtime=.',
  cluster_state: 'staging is being created. Its kubeconfig is not available yet.',
  cluster_external:
    'prod is a cluster of your kubeconfig. Slipway does not create, start, stop or delete it, and does not see its nodes.',
  file_exists: '/etc/nginx/nginx.conf already exists. Replace it, or choose another name.',
  port_taken:
    'Could not start staging-control-plane. Port 40123 on 127.0.0.1 is in use by another program. Stop that program, and start staging again.',
  image_in_use: 'Could not remove kindest/node:v1.34.4 from docker: a container uses it.',
  volume_in_use: 'Could not remove volume 4f0c2d1e from podman: a container uses it.',
  kubeconfig_taken:
    '/home/me/.kube/config already has a context kind-staging that belongs to another cluster.',
  kubeconfig_locked: '/home/me/.kube/config is locked: another program is writing it.',
  job_ended: 'Job 12 has already ended: succeeded.',
  resource_conflict:
    'ConfigMap shop/settings has changed since you read it. Reload it, and make your change again.',
  log_unreadable: 'Could not read the log of web: its container uses the logging driver none.',
  pod_unowned: 'Pod shop/debug has no owner that would recreate it. Set force to delete it anyway.',
  release_exists: 'Release kiali already exists in staging.',
  release_busy: 'Release kiali is being upgraded by job 12.',
  page_expired: 'The list has expired because the cluster changed. Reload it.',
  precondition_failed: 'The config of staging has changed since you read it.',
  payload_too_large: 'The request is too large: a body can have up to 256 kB here.',
  unsupported_media_type: 'Send the body as application/json.',
  search_timeout:
    'The regex took too long and was stopped. Choose a shorter period or fewer sources, or search for plain text.',
  kubeconfig_unusable: '/home/me/.kube/config is invalid: line 4 is not valid YAML.',
  config_refused: 'Invalid config. Line 4: nodes[0].role must be control-plane or worker.',
  file_refused: '/dev/null is not a regular file.',
  file_tools_missing:
    'The image of the container has no sh, which Slipway uses to access files. Start a debug container: it finds the files of the container in /proc/1/root.',
  archive_refused: 'The file is not an image archive: it has neither manifest.json nor index.json.',
  confirmation_required: 'This config gives the cluster access to your machine: it mounts /home/me.',
  resource_refused: 'The cluster rejected the request: spec.replicas must be greater than or equal to 0.',
  schema_unavailable: 'The API server of cluster shop publishes no schemas. Kubernetes 1.24 and later do.',
  values_refused: 'The chart rejected the values: controller.replicas must be a number.',
  chart_refused: 'The file is not a chart: it has no Chart.yaml.',
  command_failed: 'helm failed with exit status 1: release has no 9 version.',
  too_many_requests: 'Too many changes: the limit is 120 per minute. Wait a minute.',
  headers_too_large: 'The headers of the request are longer than 64 kB.',
  cluster_not_deleted: 'Could not delete staging: a container could not be removed.',
  demo_failure: 'The demo failed as APP_DEMO_FAILURES requests.',
  internal: 'Something went wrong inside Slipway. Its log has the details under the request id.',
  node_unchanged: 'docker could not start staging-worker: no space left on device.',
  image_not_loaded: 'Could not load app:dev into staging-worker.',
  node_unavailable: 'Could not run a command in the node: it is paused.',
  image_not_pulled: 'Could not pull the node image.',
  runtime_unavailable: 'docker does not respond.',
  provisioner_unavailable: 'kind is not installed. Slipway creates clusters with it.',
  cluster_unreachable: 'Could not read the kubeconfig of staging from its control plane.',
  package_manager_unavailable: 'helm is not installed. Slipway installs addons with it.',
  repository_unreachable: 'https://charts.example.org does not respond.',
  kubeconfig_not_written: 'Could not write to the folder /home/me/.kube: its disk is read-only.',
  command_unavailable: 'kind timed out after 300 s.',
  engine_failed: 'docker at /var/run/docker.sock reports an error: no space left on device.',
  unexpected_response: 'The list of releases has an unexpected form.',
  storage_unavailable: 'Could not write to the data folder: no space is left on its disk.',
  log_board_not_running: 'The log board does not run in this process. Start both with slipway serve.',
  starting: 'Slipway is starting. Try again soon.',
  shutting_down: 'Slipway is stopping. Start it again first.',
};

/** Example details of the codes that have any. */
const DETAILS: Readonly<Partial<Record<ErrorCode, unknown>>> = {
  invalid_input: [{ field: 'workers', problem: 'must be a whole number from 0 to 20' }],
  cluster_busy: { job_id: 12 },
  job_ended: { job_id: 12, state: 'succeeded' },
  cluster_ambiguous: { runtimes: ['docker', 'podman'] },
  cluster_state: { state: 'creating' },
  precondition_failed: { etag: '"9f86d081884c7d65"' },
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
    details: DETAILS[code] ?? null,
    request_id: '5f0c2d1e9a7b4c33',
  };
}
