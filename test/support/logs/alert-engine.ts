import type { AppLogger } from '../../../backend/src/core/logging/index.js';
import { AlertEngine } from '../../../backend/src/modules/log-alerts/alert-engine.js';
import { AlertQueryDto } from '../../../backend/src/modules/log-alerts/alert-query.dto.js';
import type { Alert, AlertStore } from '../../../backend/src/modules/log-alerts/alert.store.js';
import type { FiringStore } from '../../../backend/src/modules/log-alerts/firing.store.js';
import type { WebhookDeliveries } from '../../../backend/src/modules/log-alerts/webhook-deliveries.js';

export type { Alert };

/** Fires on any line, and then not for 10 s. */
export const ANY_LINE: Alert = {
  id: 1,
  name: 'Any',
  enabled: true,
  query: new AlertQueryDto(),
  sources: {},
  threshold: 1,
  window_seconds: 10,
  quiet_seconds: 10,
  browser: false,
  webhook: false,
  problem: null,
  last_fired_at: null,
  created_at: '2026-11-22T07:00:00.000Z',
};

/** An engine without a database. */
export function alertEngine(alerts: () => Alert[]): AlertEngine {
  const store: Pick<AlertStore, 'list' | 'transaction' | 'recordFiring'> = {
    list: alerts,
    transaction: (work) => work(),
    recordFiring: () => undefined,
  };
  const firings = { insert: () => ({}) } as unknown as FiringStore;
  const deliveries: Pick<WebhookDeliveries, 'run'> = { run: () => undefined };
  return new AlertEngine(
    store as AlertStore,
    firings,
    deliveries as WebhookDeliveries,
    {} as Partial<AppLogger> as AppLogger,
  );
}
