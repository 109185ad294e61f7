import type {
  LogSearch,
  NewLogLine,
  RetentionLimits,
  SourceIdentity,
} from '../../../backend/src/drivers/log-store/index.js';

// Programs in plain JavaScript import this file, too: Node.js removes the types, so it must import nothing else.

/** A time of a line, microseconds. */
export const START = 1_795_000_000_000_000;

export function identityOf(name: string): SourceIdentity {
  return {
    key: `container/docker/${name}`,
    kind: 'container',
    runtime: 'docker',
    cluster: null,
    namespace: null,
    workload: null,
    name,
    container: null,
    role: null,
    service: null,
    previous: null,
  };
}

export function newLine(text: string, time: number, more: Partial<NewLogLine> = {}): NewLogLine {
  return { time, stream: 'stdout', level: null, text, cut: 0, continues: false, ...more };
}

export const NO_LIMITS: RetentionLimits = { totalBytes: 1e12, bytesPerSource: 1e12, maxAgeDays: 36_500 };

/** A search without conditions, newest first, with some of its parts replaced. */
export function searchOf(more: Partial<LogSearch>): LogSearch {
  return {
    sources: null,
    text: null,
    regex: false,
    matchCase: false,
    without: [],
    levels: null,
    streams: null,
    fields: [],
    withoutFields: [],
    condition: null,
    from: null,
    to: null,
    order: 'newest',
    limit: 1_000_000,
    cursor: null,
    ...more,
  };
}
