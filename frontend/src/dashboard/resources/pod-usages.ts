import { computed } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import type { PodUsageDto } from '../../shared/api/api-types';
import { apiResource } from '../../shared/loading/api-resource';

/** The interval of metrics-server. */
const EVERY_MS = 15_000;
/** Values of a trend: one per 30 s of the last hour. */
const INTERVALS = 120;

interface PodName {
  namespace: string | null;
  name: string;
}

/**
 * Usage of the Pods of a cluster, read again while the page is visible. Separate from the rows of their table: a trend
 * takes as much as the rest of a row, and the table must not wait for it. Requires an injection context.
 */
export class PodUsages {
  private readonly read = apiResource('/api/v1/clusters/{name}/pods/usage', () => this.key(), {
    refresh: { everyMs: EVERY_MS },
  });
  private readonly pods = computed(
    () => new Map(this.read.current()?.map((usage) => [idOf(usage), withWholeTrends(usage)])),
  );

  /** @param key undefined to read nothing */
  constructor(private readonly key: () => ClusterKey | undefined) {}

  /** Undefined for an unknown Pod. Its trends end now and have 120 values. */
  of(pod: PodName): PodUsageDto | undefined {
    return this.pods().get(idOf(pod));
  }
}

function idOf({ namespace, name }: PodName): string {
  return `${namespace ?? ''}/${name}`;
}

/** Trends begin with the first known value. */
function withWholeTrends(usage: PodUsageDto): PodUsageDto {
  const whole = (trend: PodUsageDto['cpu_trend']): PodUsageDto['cpu_trend'] => [
    ...Array.from({ length: INTERVALS - trend.length }, () => null),
    ...trend,
  ];
  return { ...usage, cpu_trend: whole(usage.cpu_trend), memory_trend: whole(usage.memory_trend) };
}
