import type { LogSourceDto } from '../api/api-types';

let made = 0;

/** A source for specs: a live container of Docker, unless more is said. */
export function makeSource(more: Partial<LogSourceDto>): LogSourceDto {
  made += 1;
  return {
    id: made,
    key: `container/docker/${made}`,
    kind: 'container',
    runtime: 'docker',
    cluster: null,
    namespace: null,
    workload: null,
    name: `container-${made}`,
    container: null,
    role: null,
    service: null,
    previous: null,
    state: 'live',
    reason: null,
    first_seq: 1,
    next_seq: 1,
    bytes: 0,
    first_time: null,
    last_time: null,
    rate: 0,
    ...more,
  };
}
