import { Injectable } from '@nestjs/common';
import { parseOwnJson } from '../../core/parsing/index.js';
import { Database } from '../../core/storage/index.js';
import type { AlertSourcesDto, AlertQueryDto } from './alert-query.dto.js';
import type { SaveAlertDto } from './alert.dto.js';

/** An alert as it is stored. */
export interface Alert extends Omit<SaveAlertDto, 'webhook'> {
  id: number;
  /** Whether it has a webhook. Its URL and secret are in the sealed secrets. */
  webhook: boolean;
  problem: string | null;
  last_fired_at: string | null;
  created_at: string;
}

interface AlertRow extends Omit<Alert, 'query' | 'sources' | 'enabled' | 'browser' | 'webhook'> {
  query_json: string;
  sources_json: string;
  enabled: number;
  browser: number;
  webhook: number;
}

/** The fields of an alert that a user sets. */
export type AlertSettings = Omit<Alert, 'id' | 'problem' | 'last_fired_at' | 'created_at'>;

const COLUMNS =
  'id, name, enabled, query_json, sources_json, threshold, window_seconds, quiet_seconds, browser, webhook, problem, last_fired_at, created_at';

@Injectable()
export class AlertStore {
  constructor(private readonly database: Database) {}

  /** Sorted by name. */
  list(): Alert[] {
    return this.database.all<AlertRow>(`SELECT ${COLUMNS} FROM alerts ORDER BY name, id`).map(fromRow);
  }

  get(id: number): Alert | undefined {
    const row = this.database.get<AlertRow>(`SELECT ${COLUMNS} FROM alerts WHERE id = ?`, id);
    return row && fromRow(row);
  }

  count(): number {
    return this.database.get<{ count: number }>('SELECT count(*) AS count FROM alerts')?.count ?? 0;
  }

  /** @returns the id, or undefined if the name exists. */
  insert(alert: AlertSettings, createdAt: string): number | undefined {
    const row = { ...settings(alert), created_at: createdAt };
    const { changes, id } = this.database.insert('alerts', row, 'ignore');
    return changes === 1 ? id : undefined;
  }

  /** Clears `problem`. @returns false if another alert has the name. */
  update(id: number, alert: AlertSettings): boolean {
    const row = settings(alert);
    const assignments = Object.keys(row).map((column) => `${column} = ?`);
    const sql = `UPDATE OR IGNORE alerts SET ${assignments.join(', ')}, problem = NULL WHERE id = ?`;
    return this.database.run(sql, ...Object.values(row), id).changes === 1;
  }

  disable(id: number, problem: string): void {
    this.database.run('UPDATE alerts SET enabled = 0, problem = ? WHERE id = ?', problem, id);
  }

  recordFiring(id: number, time: string): void {
    this.database.run('UPDATE alerts SET last_fired_at = ? WHERE id = ?', time, id);
  }

  /** Also deletes its firings. */
  remove(id: number): boolean {
    return this.database.run('DELETE FROM alerts WHERE id = ?', id).changes === 1;
  }

  transaction<TResult>(work: () => TResult): TResult {
    return this.database.transaction(work);
  }
}

function settings({ query, sources, ...alert }: AlertSettings): Record<string, string | number> {
  const { enabled, browser, webhook } = alert;
  return {
    ...alert,
    enabled: Number(enabled),
    query_json: JSON.stringify(query),
    sources_json: JSON.stringify(sources),
    browser: Number(browser),
    webhook: Number(webhook),
  };
}

function fromRow({ query_json, sources_json, enabled, browser, webhook, ...row }: AlertRow): Alert {
  return {
    ...row,
    enabled: enabled === 1,
    browser: browser === 1,
    webhook: webhook === 1,
    // Alerts of earlier versions have no `without_field`.
    query: {
      ...{ query: '', without_field: [] },
      ...parseOwnJson<Omit<AlertQueryDto, 'query' | 'without_field'>>(query_json),
    },
    sources: parseOwnJson<AlertSourcesDto>(sources_json),
  };
}
