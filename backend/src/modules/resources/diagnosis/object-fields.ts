import type { Condition } from '../../../drivers/kubernetes/index.js';

export function hasCondition(conditions: readonly Condition[] | undefined, type: string): boolean {
  return conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}
