import type { ResourceHealth } from '../../shared/api/api-types';
import { HEALTH_ORDER } from '../resource-model/kind-labels';

/** Rows per status. The chosen status stays listed when it no longer occurs, so that it can be cleared. */
export function statusCounts(
  healths: readonly ResourceHealth[],
  chosen: ResourceHealth | null,
): { health: ResourceHealth; count: number }[] {
  const counts = new Map<ResourceHealth, number>();
  for (const health of healths) counts.set(health, (counts.get(health) ?? 0) + 1);
  return HEALTH_ORDER.map((health) => ({ health, count: counts.get(health) ?? 0 })).filter(
    ({ health, count }) => count > 0 || health === chosen,
  );
}
