import type { AlertDto, AlertFiringDto } from '../api/api-types';

/** An alert that never fired. */
export function anAlert(changes: Partial<AlertDto> = {}): AlertDto {
  return {
    id: 1,
    name: 'Payments time out',
    enabled: true,
    query: {
      text: 'timeout',
      regex: false,
      case: false,
      without: [],
      level: [],
      field: [],
      without_field: [],
    },
    sources: {},
    threshold: 10,
    window_seconds: 60,
    quiet_seconds: 300,
    webhook: null,
    browser: true,
    last_fired_at: null,
    state: 'quiet',
    count: 0,
    missed: 0,
    problem: null,
    created_at: '2026-11-22T08:00:00.000Z',
    ...changes,
  };
}

export function aFiring(changes: Partial<AlertFiringDto> = {}): AlertFiringDto {
  return {
    id: 3,
    alert_id: 1,
    name: 'Payments time out',
    time: '2026-11-22T08:01:00.000Z',
    count: 12,
    test: false,
    source_key: 'container/docker/1',
    kept: true,
    sample: {
      source: 17,
      seq: 4212,
      time: '2026-11-22T08:01:00.000000Z',
      stream: 'stderr',
      level: 'error',
      text: 'upstream timeout',
      cut: 0,
      continues: false,
    },
    webhook: { state: 'none', attempts: 0, status: null, error: null },
    ...changes,
  };
}
