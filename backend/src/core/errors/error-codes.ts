/** The level at which an error is logged. A mistake of a client is not an error of the server. */
type ErrorSeverity = 'info' | 'warn' | 'error';

interface ErrorMeaning {
  /** HTTP status. */
  status: number;
  /** By default `info` for a status below 500, and otherwise `warn`. */
  severity?: ErrorSeverity;
  /** A message for the API documentation. */
  example: string;
}

const meanings = {
  invalid_input: {
    status: 400,
    example: 'The request is invalid: workers must be a whole number from 0 to 20.',
  },
  search_invalid: {
    status: 400,
    example:
      'The regular expression is invalid: /a(b/: Unterminated group. Correct it, or search for plain text.',
  },
  malformed_body: { status: 400, example: 'The body is not valid JSON.' },
  malformed_request: { status: 400, example: 'The request is not valid HTTP/1.1.' },
  unauthorized: { status: 401, example: 'Unauthorized' },
  insufficient_scope: {
    status: 403,
    example:
      'The access token has the scope read, and this request needs the scope full. Use an access token with the scope full, or sign in.',
  },
  resource_forbidden: {
    status: 403,
    example: 'The user of the kubeconfig cannot list secrets in this cluster.',
  },
  forbidden_host: { status: 403, severity: 'warn', example: 'Slipway is not served under this host name.' },
  forbidden_origin: {
    status: 403,
    severity: 'warn',
    example: 'The request comes from a web page of another site.',
  },
  forbidden_proxy: {
    status: 403,
    severity: 'warn',
    example: 'The request came through a proxy at 192.0.2.7, which Slipway does not trust.',
  },
  route_not_found: { status: 404, example: 'This URL does not exist.' },
  cluster_not_found: { status: 404, example: 'Cluster staging does not exist.' },
  job_not_found: { status: 404, example: 'Job 12 does not exist.' },
  provision_log_not_found: {
    status: 404,
    example: 'Slipway did not create staging and has no provision log of it.',
  },
  config_not_found: { status: 404, example: 'Slipway did not create staging and has no config of it.' },
  kubeconfig_not_found: { status: 404, example: 'staging has no nodes, so it has no kubeconfig.' },
  logs_not_found: { status: 404, example: 'staging has no nodes, so it has no logs.' },
  source_not_found: {
    status: 404,
    example: 'Source 17 does not exist. It was deleted and has no stored lines.',
  },
  line_not_found: {
    status: 404,
    example:
      'Line 4212 of source 17 does not exist. It has expired, was deleted, or has not been collected yet.',
  },
  session_not_found: { status: 404, example: 'The session does not exist or has ended.' },
  access_token_not_found: {
    status: 404,
    example: 'The access token does not exist. It has expired or was revoked.',
  },
  image_not_found: { status: 404, example: 'Image app:dev does not exist in docker.' },
  resource_not_found: { status: 404, example: 'Pod web-0 does not exist in namespace shop.' },
  resource_type_not_found: {
    status: 404,
    example: 'The cluster does not serve certificates in cert-manager.io/v1.',
  },
  addon_not_found: { status: 404, example: 'Release kiali does not exist in staging.' },
  chart_not_found: { status: 404, example: 'Chart traefik 41.3.0 does not exist in the repository.' },
  forward_not_found: { status: 404, example: 'The port-forward does not exist or has ended.' },
  alert_not_found: { status: 404, example: 'Alert 3 does not exist.' },
  saved_search_not_found: { status: 404, example: 'Saved search 3 does not exist.' },
  method_not_allowed: {
    status: 405,
    example: 'Method POST is not allowed. Allowed: GET, HEAD. Cannot POST /api/v1/stats.',
  },
  request_timeout: { status: 408, example: 'The request did not arrive in time.' },
  cluster_exists: { status: 409, example: 'Cluster staging already exists in docker.' },
  cluster_busy: { status: 409, example: 'staging is busy: job 12 (create) is running.' },
  cluster_ambiguous: {
    status: 409,
    example: 'docker and podman both have a cluster staging. Choose one with ?runtime=.',
  },
  cluster_state: { status: 409, example: 'staging is being created. Its kubeconfig is not available yet.' },
  port_taken: {
    status: 409,
    example:
      'Could not start staging-control-plane. Port 40123 on 127.0.0.1 is in use by another program. Stop that program, and start staging again.',
  },
  image_in_use: {
    status: 409,
    example: 'Could not remove kindest/node:v1.34.4 from docker: a container uses it.',
  },
  volume_in_use: {
    status: 409,
    example: 'Could not remove volume 4f0c2d1e from podman: a container uses it.',
  },
  kubeconfig_taken: {
    status: 409,
    example: '/home/me/.kube/config already has a context kind-staging that belongs to another cluster.',
  },
  kubeconfig_locked: {
    status: 409,
    example: '/home/me/.kube/config is locked: another program is writing it.',
  },
  job_ended: { status: 409, example: 'Job 12 has already ended: succeeded.' },
  resource_conflict: {
    status: 409,
    example: 'ConfigMap shop/settings has changed since you read it. Reload it, and make your change again.',
  },
  // 409: the request is valid, but conflicts with the configuration or the state of the container.
  log_unreadable: {
    status: 409,
    example: 'Could not read the log of web: its container uses the logging driver none.',
  },
  pod_unowned: {
    status: 409,
    example: 'Pod shop/debug has no owner that would recreate it. Set force to delete it anyway.',
  },
  release_exists: { status: 409, example: 'Release kiali already exists in staging.' },
  release_busy: { status: 409, example: 'Release kiali is being upgraded by job 12.' },
  page_expired: { status: 410, example: 'The list has expired because the cluster changed. Reload it.' },
  precondition_failed: { status: 412, example: 'The config of staging has changed since you read it.' },
  payload_too_large: { status: 413, example: 'The request is too large: a body can have up to 256 kB.' },
  unsupported_media_type: { status: 415, example: 'Send the body as application/json.' },
  // 422: a retry takes just as long; another pattern or fewer lines help.
  search_timeout: {
    status: 422,
    example:
      'The regex took too long and was stopped. Choose a shorter period or fewer sources, or search for plain text.',
  },
  kubeconfig_unusable: {
    status: 422,
    example: '/home/me/.kube/config is invalid: line 4 is not valid YAML.',
  },
  config_refused: {
    status: 422,
    example: 'Invalid config. Line 4: nodes[0].role must be control-plane or worker.',
  },
  archive_refused: {
    status: 422,
    example: 'The file is not an image archive: it has neither manifest.json nor index.json.',
  },
  confirmation_required: {
    status: 422,
    example: 'This config gives the cluster access to your machine: it mounts /home/me.',
  },
  resource_refused: {
    status: 422,
    example: 'The cluster rejected the request: spec.replicas must be greater than or equal to 0.',
  },
  values_refused: {
    status: 422,
    example: 'The chart rejected the values: controller.replicas must be a number.',
  },
  chart_refused: { status: 422, example: 'The file is not a chart: it has no Chart.yaml.' },
  too_many_requests: {
    status: 429,
    severity: 'warn',
    example: 'Too many changes: the limit is 120 per minute. Wait a minute.',
  },
  headers_too_large: { status: 431, example: 'The headers of the request are longer than 64 kB.' },
  cluster_not_deleted: {
    status: 500,
    example: 'Could not delete staging: a container could not be removed.',
  },
  demo_failure: { status: 500, severity: 'info', example: 'The demo failed as APP_DEMO_FAILURES requests.' },
  internal: {
    status: 500,
    severity: 'error',
    example: 'Something went wrong inside Slipway. Its log has the details under the request id.',
  },
  node_unchanged: { status: 503, example: 'docker could not start staging-worker: no space left on device.' },
  image_not_loaded: { status: 503, example: 'Could not load app:dev into staging-worker.' },
  node_unavailable: { status: 503, example: 'Could not run a command in the node: it is paused.' },
  image_not_pulled: { status: 503, example: 'Could not pull the node image.' },
  runtime_unavailable: { status: 503, example: 'docker does not respond.' },
  provisioner_unavailable: {
    status: 503,
    example: 'kind is not installed. Slipway creates clusters with it.',
  },
  cluster_unreachable: {
    status: 503,
    example: 'Could not read the kubeconfig of staging from its control plane.',
  },
  package_manager_unavailable: {
    status: 503,
    example: 'helm is not installed. Slipway installs addons with it.',
  },
  repository_unreachable: { status: 503, example: 'https://charts.example.org does not respond.' },
  kubeconfig_not_written: {
    status: 503,
    example: 'Could not write to the folder /home/me/.kube: its disk is read-only.',
  },
  storage_unavailable: {
    status: 503,
    severity: 'error',
    example: 'Could not write to the data folder: no space is left on its disk.',
  },
  shutting_down: { status: 503, severity: 'info', example: 'Slipway is stopping. Start it again first.' },
} as const satisfies Record<string, ErrorMeaning>;

export type ErrorCode = keyof typeof meanings;

/** Every error code of the API. A test checks the OpenAPI document against it. */
export const errorCodes: Readonly<Record<ErrorCode, ErrorMeaning>> = meanings;

export function severityOf(code: ErrorCode): ErrorSeverity {
  const { status, severity } = errorCodes[code];
  return severity ?? (status < 500 ? 'info' : 'warn');
}
