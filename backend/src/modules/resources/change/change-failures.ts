import type { ErrorCode } from '../../../core/errors/index.js';
import { OBJECT_FAILURES } from '../open-failures.js';

/** With which every change of an object may answer. */
export const CHANGE_FAILURES = [
  ...OBJECT_FAILURES,
  'resource_conflict',
  'resource_refused',
] as const satisfies readonly ErrorCode[];
