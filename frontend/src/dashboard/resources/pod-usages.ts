import { computed, inject } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import type { PodUsageDto } from '../../shared/api/api-types';
import { Clock } from '../../shared/browser/clock';
import { ApiResource } from '../../shared/loading/api-resource';

/** The interval of metrics-server. */
const EVERY_MS = 15_000;
/** Values of a trend: one per 15 s of the last 15 minutes. */
const INTERVALS = 60;

interface PodName {
  namespace: string | null;
  name: string;
}

/**
 * Usage of the Pods of a cluster, read again while the page is visible. Separate from the rows of their table: a trend
 * takes as much as the rest of a row, and the table must not wait for it. Requires an injection context.
 */
export class PodUsages {
  private readonly api = inject(Api);
  private readonly clock = inject(Clock);
  private readonly turn = computed(() => Math.floor(this.clock.now() / EVERY_MS));
  private readonly read = new ApiResource(
    async ({ key }: { key: ClusterKey }) => {
      const usages = (await this.api.get('/api/v1/clusters/{name}/pods/usage', key)).map(withWholeTrends);
      return { key, pods: new Map(usages.map((usage) => [idOf(usage), usage])) };
    },
    () => {
      const key = this.key();
      return key && { key, turn: this.turn() };
    },
  );

  /** @param key undefined to read nothing */
  constructor(private readonly key: () => ClusterKey | undefined) {}

  /** Undefined for an unknown Pod. Its trends end now and have 60 values. */
  of(pod: PodName): PodUsageDto | undefined {
    const { key, pods } = this.read.value() ?? {};
    return key === this.key() ? pods?.get(idOf(pod)) : undefined;
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
