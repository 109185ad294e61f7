import type { NewLogLine, SourceIdentity } from '../../../backend/src/drivers/log-store/index.js';

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
