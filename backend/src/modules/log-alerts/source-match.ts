import { patternTest } from '../../core/search/index.js';
import type { SourceIdentity } from '../../drivers/log-store/index.js';
import type { AlertSourcesDto } from './alert-query.dto.js';

export function matchesSource(query: AlertSourcesDto, source: SourceIdentity): boolean {
  const { runtime, cluster, namespace, workload, name } = query;
  return (
    fits(runtime, source.runtime) &&
    fits(cluster, source.cluster) &&
    fits(namespace, source.namespace) &&
    (fits(workload, source.workload) || fits(workload, source.workload?.split('/')[1] ?? null)) &&
    fits(name, source.name)
  );
}

function fits(wanted: string | undefined, value: string | null): boolean {
  if (wanted === undefined || wanted === '') return true;
  return value !== null && patternTest(wanted.split('*'), false)(value);
}
