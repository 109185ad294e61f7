import { Injectable } from '@nestjs/common';
import { Database } from '../../core/storage/index.js';
import type { LineDto } from '../log-lines/index.js';
import type { AlertFiringDto, DeliveryState } from './alert.dto.js';
import { MAX_FIRINGS } from './alert.js';

/** A stored firing. `kept` is computed when it is read. */
export type Firing = Omit<AlertFiringDto, 'kept'>;

interface FiringRow {
  id: number;
  alert_id: number;
  name: string;
  time: string;
  test: number;
  count: number;
  sample_json: string | null;
  source_key: string | null;
  delivery: DeliveryState;
  attempts: number;
  status: number | null;
  error: string | null;
}

/** Outcome of a delivery attempt. */
export interface Attempt {
  state: DeliveryState;
  attempts: number;
  status: number | null;
  error: string | null;
  /** RFC 3339; null if there is no further attempt. */
  next_attempt_at: string | null;
}

const COLUMNS =
  'id, alert_id, name, time, test, count, sample_json, source_key, delivery, attempts, status, error';

/** The table of firings and their deliveries. */
@Injectable()
export class FiringStore {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  list(alertId: number): Firing[] {
    return this.database
      .all<FiringRow>(`SELECT ${COLUMNS} FROM alert_firings WHERE alert_id = ? ORDER BY id DESC`, alertId)
      .map(fromRow);
  }

  get(id: number): Firing | undefined {
    const row = this.database.get<FiringRow>(`SELECT ${COLUMNS} FROM alert_firings WHERE id = ?`, id);
    return row && fromRow(row);
  }

  /** Also deletes the oldest firings beyond the maximum. A firing with a webhook is due at once. */
  insert(firing: Omit<Firing, 'id' | 'webhook'>, withWebhook: boolean): Firing {
    return this.database.transaction(() => {
      const { id } = this.database.run(
        `INSERT INTO alert_firings (alert_id, name, time, test, count, sample_json, source_key, delivery, next_attempt_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        firing.alert_id,
        firing.name,
        firing.time,
        Number(firing.test),
        firing.count,
        firing.sample && JSON.stringify(firing.sample),
        firing.source_key,
        withWebhook ? 'waiting' : 'none',
        withWebhook && !firing.test ? new Date().toISOString() : null,
      );
      this.database.run(
        `DELETE FROM alert_firings WHERE alert_id = ? AND id IN
         (SELECT id FROM alert_firings WHERE alert_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
        firing.alert_id,
        firing.alert_id,
        MAX_FIRINGS,
      );
      return {
        ...firing,
        id,
        webhook: { state: withWebhook ? 'waiting' : 'none', attempts: 0, status: null, error: null },
      };
    });
  }

  /** Ids of the firings that are due for delivery, most overdue first. */
  due(time: string, limit: number): number[] {
    return this.database
      .all<{ id: number }>(
        `SELECT id FROM alert_firings WHERE delivery = 'waiting' AND next_attempt_at <= ? ORDER BY next_attempt_at, id LIMIT ?`,
        time,
        limit,
      )
      .map(({ id }) => id);
  }

  /** Time of the next delivery, RFC 3339. */
  nextDue(): string | undefined {
    return (
      this.database.get<{ next: string | null }>(
        `SELECT min(next_attempt_at) AS next FROM alert_firings WHERE delivery = 'waiting'`,
      )?.next ?? undefined
    );
  }

  recordAttempt(id: number, { state, attempts, status, error, next_attempt_at }: Attempt): void {
    this.database.run(
      'UPDATE alert_firings SET delivery = ?, attempts = ?, status = ?, error = ?, next_attempt_at = ? WHERE id = ?',
      state,
      attempts,
      status,
      error,
      next_attempt_at,
      id,
    );
  }

  /** Cancels pending deliveries of an alert whose webhook was removed. */
  cancelDeliveries(alertId: number, error: string): void {
    this.database.run(
      `UPDATE alert_firings SET delivery = 'failed', error = ?, next_attempt_at = NULL WHERE alert_id = ? AND delivery = 'waiting'`,
      error,
      alertId,
    );
  }

  /** Cancels tests that a shutdown interrupted: their requests have ended. */
  cancelTests(error: string): void {
    this.database.run(
      `UPDATE alert_firings SET delivery = 'failed', error = ? WHERE test = 1 AND delivery = 'waiting'`,
      error,
    );
  }
}

function fromRow(row: FiringRow): Firing {
  const { id, alert_id, name, time, count, sample_json, source_key, delivery, attempts, status, error } = row;
  return {
    id,
    alert_id,
    name,
    time,
    count,
    sample: sample_json === null ? null : (JSON.parse(sample_json) as LineDto),
    source_key,
    test: row.test === 1,
    webhook: { state: delivery, attempts, status, error },
  };
}
