import { mapConcurrently } from '../../core/threads/index.js';
import type { LoggedPod, PodLogs, PodScope } from '../../drivers/kubernetes/index.js';
import type { HistoryEstimateDto } from './external-clusters.dto.js';

/** Containers that are read. The others are taken to write as much. */
const MAX_SAMPLED = 20;
const CONCURRENT = 4;
const SECONDS = 60;
const MAX_LINES = 20_000;
const DEADLINE_MS = 10_000;
const DAY_SECONDS = 86_400;
/** The most that compressed lines take of their text: the goal of `npm run bench -- log-store`. */
const COMPRESSED = 0.25;

/**
 * Measures how much the Pods of a scope wrote in the last minute.
 * @param days how long lines are kept
 */
export async function estimateHistory(
  logs: PodLogs,
  scope: PodScope,
  days: number,
): Promise<HistoryEstimateDto> {
  const pods = await listPods(logs, scope);
  const running = pods.flatMap((pod) =>
    pod.containers.filter((container) => container.running).map(({ name }) => ({ pod, container: name })),
  );
  // Not the first ones, which often belong to one workload.
  const step = Math.max(1, running.length / MAX_SAMPLED);
  const chosen = Array.from(
    { length: Math.min(running.length, MAX_SAMPLED) },
    (_, index) => running[Math.floor(index * step)],
  );
  const since = (Date.now() - SECONDS * 1000) * 1000;
  const read = await mapConcurrently(chosen, CONCURRENT, async (one) => {
    if (!one) return undefined;
    const { pod, container } = one;
    try {
      let lines = 0;
      let bytes = 0;
      const start = { container, previous: false, since, tail: MAX_LINES, follow: false };
      for await (const pieces of logs.open(pod, start, AbortSignal.timeout(DEADLINE_MS))) {
        lines += pieces.length;
        for (const { data } of pieces) bytes += data.length;
      }
      return { lines, bytes };
    } catch {
      return undefined;
    }
  });
  const sampled = read.filter((one) => one !== undefined);
  const share = sampled.length === 0 ? 0 : running.length / sampled.length / SECONDS;
  const perSecond = (of: (one: { lines: number; bytes: number }) => number): number =>
    sampled.reduce((sum, one) => sum + of(one), 0) * share;
  const bytesPerDay = Math.round(perSecond(({ bytes }) => bytes) * DAY_SECONDS);
  return {
    containers: running.length,
    sampled: sampled.length,
    lines_per_second: Math.round(perSecond(({ lines }) => lines) * 10) / 10,
    bytes_per_day: bytesPerDay,
    disk_bytes: Math.round(bytesPerDay * COMPRESSED * days),
  };
}

async function listPods(logs: PodLogs, scope: PodScope): Promise<readonly LoggedPod[]> {
  const listed = new AbortController();
  let found: readonly LoggedPod[] = [];
  const signal = AbortSignal.any([listed.signal, AbortSignal.timeout(DEADLINE_MS)]);
  await logs.followPods(
    (pods) => {
      found = pods;
      listed.abort();
    },
    signal,
    scope,
  );
  return found;
}
