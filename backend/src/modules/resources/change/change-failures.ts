import type { ErrorCode } from '../../../core/errors/index.js';
import { OBJECT_FAILURES } from '../common/open-failures.js';

export const CHANGE_FAILURES = [
  ...OBJECT_FAILURES,
  'resource_conflict',
  'resource_refused',
] as const satisfies readonly ErrorCode[];
