import type { HistogramBucketDto, HistogramDto } from '../api/api-types';
import { formatCount, lineCount } from '../format/format';

const BANDS = ['info', 'warn', 'error'] as const;
export type Band = (typeof BANDS)[number];

/** Heights in percent of the highest bar. */
export type Bar = Readonly<Record<Band, number>>;

function bandsOf({ total, levels }: HistogramBucketDto): Record<Band, number> {
  const error = (levels['error'] ?? 0) + (levels['fatal'] ?? 0);
  const warn = levels['warn'] ?? 0;
  return { info: total - error - warn, warn, error };
}

/** Lines in the highest bar. */
export function highestOf({ buckets }: HistogramDto): number {
  return Math.max(0, ...buckets.map(({ total }) => total));
}

export function barsOf(histogram: HistogramDto): Bar[] {
  const highest = Math.max(1, highestOf(histogram));
  return histogram.buckets.map((bucket) => {
    const bands = bandsOf(bucket);
    // A small count is still visible.
    const height = (count: number): number => (count === 0 ? 0 : Math.max(3, (count / highest) * 100));
    return { info: height(bands.info), warn: height(bands.warn), error: height(bands.error) };
  });
}

export function sumsOf({ buckets }: HistogramDto): Record<Band, number> {
  const sums = { info: 0, warn: 0, error: 0 };
  for (const bucket of buckets) {
    const bands = bandsOf(bucket);
    for (const band of BANDS) sums[band] += bands[band];
  }
  return sums;
}

export function bucketLabel(bucket: HistogramBucketDto): string {
  const { warn, error } = bandsOf(bucket);
  const parts = [lineCount(bucket.total)];
  if (warn > 0) parts.push($localize`${formatCount(warn)}:count: warn`);
  if (error > 0) parts.push($localize`${formatCount(error)}:count: error`);
  return parts.join(', ');
}

/** The time range of a range of buckets, both inclusive; RFC 3339. */
export function periodOf(
  { buckets, bucket_seconds, to }: HistogramDto,
  one: number,
  other: number,
): { from: string; to: string } {
  const first = buckets[Math.min(one, other)];
  const last = buckets[Math.max(one, other)];
  const end = last ? new Date(Date.parse(last.time) + bucket_seconds * 1000).toISOString() : to;
  return { from: new Date(Date.parse(first?.time ?? to)).toISOString(), to: end };
}
