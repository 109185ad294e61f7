import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export const LIMITS = { bytesInAll: 4e9, bytesPerSource: 4e9, maxAgeDays: 36_500 };
export const QUERY = {
  sources: null,
  text: null,
  regex: false,
  matchCase: false,
  without: [],
  levels: null,
  streams: null,
  fields: [],
  withoutFields: [],
  from: null,
  to: null,
  limit: 500,
  before: null,
};

export async function find(history, query) {
  const began = performance.now();
  let end;
  for await (const event of history.search({ ...QUERY, ...query }, new AbortController().signal)) {
    if (event.type === 'end') end = event;
  }
  return { ms: performance.now() - began, matched: end.matched };
}

/**
 * Waits until nothing is put in order any more, which begins some seconds after a flood.
 * @returns when that was, as `performance.now()` tells it
 */
export async function settled(data) {
  let before = '';
  let changed = performance.now();
  for (let same = 0; same < 25;) {
    await delay(200);
    const now = JSON.stringify(sizeOf(data));
    if (now !== before) changed = performance.now();
    same = now === before ? same + 1 : 0;
    before = now;
  }
  return changed;
}

export function sizeOf(data) {
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  // One that is put in order goes while this looks.
  const sizes = files.map(
    ({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { bytes, files: files.length };
}

export function identity(name) {
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
