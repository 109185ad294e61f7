import type { ClusterKey } from '../../shared/api/api';
import type { ChartsChartData, ReleaseDto } from '../../shared/api/api-types';

/** Identifies a release: names are unique per namespace. */
export type ReleaseName = Pick<ReleaseDto, 'release' | 'namespace'>;

/** Selects a chart: an addon, or a chart of a repository. */
export type ChartChoice = Omit<NonNullable<ChartsChartData['query']>, 'runtime'>;

/** The parameters of requests for a release. */
export function releaseParams(
  { name, runtime }: ClusterKey,
  { release, namespace }: ReleaseName,
): ClusterKey & ReleaseName {
  return { name, runtime, release, namespace };
}
