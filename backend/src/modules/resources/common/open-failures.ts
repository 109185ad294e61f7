import type { ErrorCode } from '../../../core/errors/index.js';

export const OPEN_FAILURES = [
  'cluster_state',
  'cluster_unreachable',
  'kubeconfig_not_found',
  'runtime_unavailable',
  'resource_forbidden',
] as const satisfies readonly ErrorCode[];

export const OBJECT_FAILURES = [
  ...OPEN_FAILURES,
  'resource_type_not_found',
  'resource_not_found',
] as const satisfies readonly ErrorCode[];
