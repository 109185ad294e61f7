import { Injectable } from '@nestjs/common';
import { parseOwnJson } from '../../core/parsing/index.js';
import { Database } from '../../core/storage/index.js';
import type { LineDto } from '../log-lines/index.js';
import type { AlertFiringDto, DeliveryDto } from './alert.dto.js';

/** Per alert. Older ones are deleted. */
export const MAX_FIRINGS = 100;

/** A stored firing. `kept` is computed when it is read. */
export type Firing = Omit<AlertFiringDto, 'kept'>;

type FiringRow = Omit<Firing, 'sample' | 'test' | 'webhook'> &
  DeliveryDto & { sample_json: string | null; test: number };

export interface Attempt extends DeliveryDto {
  /** RFC 3339; null if there is no further attempt. */
  next_attempt_at: string | null;
}

const COLUMNS =
  'id, alert_id, name, time, test, count, sample_json, source_key, delivery AS state, attempts, status, error';

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
    const { alert_id, name, time, test, count, sample, source_key } = firing;
    const state = withWebhook ? 'waiting' : 'none';
    const nextAttemptAt = withWebhook && !test ? new Date().toISOString() : null;
    return this.database.transaction(() => {
      const { id } = this.database.insert('alert_firings', {
        ...{ alert_id, name, time, test: Number(test), count, source_key, delivery: state },
        sample_json: sample && JSON.stringify(sample),
        next_attempt_at: nextAttemptAt,
      });
      this.database.run(
        `DELETE FROM alert_firings WHERE alert_id = ?1 AND id IN
         (SELECT id FROM alert_firings WHERE alert_id = ?1 ORDER BY id DESC LIMIT -1 OFFSET ?2)`,
        ...[alert_id, MAX_FIRINGS],
      );
      return { ...firing, id, webhook: { state, attempts: 0, status: null, error: null } };
    });
  }

  /** Ids of the firings that are due for delivery, most overdue first. */
  due(time: string, limit: number): number[] {
    const select = `SELECT id FROM alert_firings WHERE delivery = 'waiting' AND next_attempt_at <= ? ORDER BY next_attempt_at, id LIMIT ?`;
    return this.database.all<{ id: number }>(select, time, limit).map(({ id }) => id);
  }

  /** Time of the next delivery, RFC 3339. */
  nextDue(): string | undefined {
    const select = `SELECT min(next_attempt_at) AS next FROM alert_firings WHERE delivery = 'waiting'`;
    return this.database.get<{ next: string | null }>(select)?.next ?? undefined;
  }

  recordAttempt(id: number, { state, attempts, status, error, next_attempt_at }: Attempt): void {
    this.database.run(
      'UPDATE alert_firings SET delivery = ?, attempts = ?, status = ?, error = ?, next_attempt_at = ? WHERE id = ?',
      ...[state, attempts, status, error, next_attempt_at, id],
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

function fromRow({ sample_json, test, state, attempts, status, error, ...row }: FiringRow): Firing {
  return {
    ...row,
    sample: sample_json === null ? null : parseOwnJson<LineDto>(sample_json),
    test: test === 1,
    webhook: { state, attempts, status, error },
  };
}
