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
  return value !== null && fitsPattern(wanted, value);
}

/** Matches `*` wildcards in linear time: the first occurrence of each part is sufficient. */
function fitsPattern(pattern: string, value: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return value === first;
  if (!value.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = value.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return value.length - last.length >= from && value.endsWith(last);
}
