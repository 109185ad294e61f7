import type { ErrorCode } from '../../../core/errors/index.js';
import { OBJECT_FAILURES } from '../../resources/index.js';

export const CHANGE_FAILURES = [
  ...OBJECT_FAILURES,
  'resource_conflict',
  'resource_refused',
] as const satisfies readonly ErrorCode[];
