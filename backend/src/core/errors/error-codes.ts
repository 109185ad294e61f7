/** The level at which an error is logged. A mistake of a client is not an error of the server. */
type ErrorSeverity = 'info' | 'warn' | 'error';

interface ErrorCodeMeaning {
  status: number;
  severity: ErrorSeverity;
}

/**
 * Every error code of the API with its HTTP status. A code cannot be thrown before it has a status here, and a test
 * checks the OpenAPI document against it.
 */
export const errorCodes = {
  invalid_input: { status: 400, severity: 'info' },
  search_invalid: { status: 400, severity: 'info' },
  malformed_body: { status: 400, severity: 'info' },
  malformed_request: { status: 400, severity: 'info' },
  unauthorized: { status: 401, severity: 'info' },
  insufficient_scope: { status: 403, severity: 'info' },
  resource_forbidden: { status: 403, severity: 'info' },
  forbidden_host: { status: 403, severity: 'warn' },
  forbidden_origin: { status: 403, severity: 'warn' },
  forbidden_proxy: { status: 403, severity: 'warn' },
  route_not_found: { status: 404, severity: 'info' },
  cluster_not_found: { status: 404, severity: 'info' },
  job_not_found: { status: 404, severity: 'info' },
  provision_log_not_found: { status: 404, severity: 'info' },
  config_not_found: { status: 404, severity: 'info' },
  kubeconfig_not_found: { status: 404, severity: 'info' },
  logs_not_found: { status: 404, severity: 'info' },
  source_not_found: { status: 404, severity: 'info' },
  line_not_found: { status: 404, severity: 'info' },
  session_not_found: { status: 404, severity: 'info' },
  access_token_not_found: { status: 404, severity: 'info' },
  image_not_found: { status: 404, severity: 'info' },
  resource_not_found: { status: 404, severity: 'info' },
  resource_type_not_found: { status: 404, severity: 'info' },
  addon_not_found: { status: 404, severity: 'info' },
  chart_not_found: { status: 404, severity: 'info' },
  forward_not_found: { status: 404, severity: 'info' },
  alert_not_found: { status: 404, severity: 'info' },
  saved_search_not_found: { status: 404, severity: 'info' },
  method_not_allowed: { status: 405, severity: 'info' },
  request_timeout: { status: 408, severity: 'info' },
  cluster_exists: { status: 409, severity: 'info' },
  cluster_busy: { status: 409, severity: 'info' },
  cluster_ambiguous: { status: 409, severity: 'info' },
  cluster_state: { status: 409, severity: 'info' },
  port_taken: { status: 409, severity: 'info' },
  image_in_use: { status: 409, severity: 'info' },
  volume_in_use: { status: 409, severity: 'info' },
  kubeconfig_taken: { status: 409, severity: 'info' },
  kubeconfig_locked: { status: 409, severity: 'info' },
  job_ended: { status: 409, severity: 'info' },
  resource_conflict: { status: 409, severity: 'info' },
  // 409: the request is valid, but conflicts with the configuration or the state of the container.
  log_unreadable: { status: 409, severity: 'info' },
  pod_unowned: { status: 409, severity: 'info' },
  release_exists: { status: 409, severity: 'info' },
  release_busy: { status: 409, severity: 'info' },
  page_expired: { status: 410, severity: 'info' },
  precondition_failed: { status: 412, severity: 'info' },
  payload_too_large: { status: 413, severity: 'info' },
  unsupported_media_type: { status: 415, severity: 'info' },
  // 422: a retry takes just as long; another pattern or fewer lines help.
  search_timeout: { status: 422, severity: 'info' },
  kubeconfig_unusable: { status: 422, severity: 'info' },
  config_refused: { status: 422, severity: 'info' },
  archive_refused: { status: 422, severity: 'info' },
  confirmation_required: { status: 422, severity: 'info' },
  resource_refused: { status: 422, severity: 'info' },
  values_refused: { status: 422, severity: 'info' },
  chart_refused: { status: 422, severity: 'info' },
  too_many_requests: { status: 429, severity: 'warn' },
  headers_too_large: { status: 431, severity: 'info' },
  cluster_not_deleted: { status: 500, severity: 'warn' },
  demo_failure: { status: 500, severity: 'info' },
  internal: { status: 500, severity: 'error' },
  node_unchanged: { status: 503, severity: 'warn' },
  image_not_loaded: { status: 503, severity: 'warn' },
  node_unavailable: { status: 503, severity: 'warn' },
  image_not_pulled: { status: 503, severity: 'warn' },
  runtime_unavailable: { status: 503, severity: 'warn' },
  provisioner_unavailable: { status: 503, severity: 'warn' },
  cluster_unreachable: { status: 503, severity: 'warn' },
  package_manager_unavailable: { status: 503, severity: 'warn' },
  repository_unreachable: { status: 503, severity: 'warn' },
  kubeconfig_not_written: { status: 503, severity: 'warn' },
  storage_unavailable: { status: 503, severity: 'error' },
  shutting_down: { status: 503, severity: 'info' },
} as const satisfies Record<string, ErrorCodeMeaning>;

export type ErrorCode = keyof typeof errorCodes;
