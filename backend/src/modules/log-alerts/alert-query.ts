import type { AlertQueryDto, AlertSourcesDto } from './alert-request.dto.js';
import type { LineQuery, SourceQuery } from './alert.js';

/** Applies the defaults of a request. */
export function lineQuery(given: AlertQueryDto): LineQuery {
  return {
    text: given.text ?? null,
    regex: given.regex ?? false,
    case: given.case ?? false,
    without: given.without ?? [],
    level: given.level ?? [],
    field: given.field ?? [],
    without_field: given.without_field ?? [],
  };
}

/** Drops empty fields, which match all as missing ones do. */
export function sourceQuery({ runtime, cluster, namespace, workload, name }: AlertSourcesDto): SourceQuery {
  return Object.fromEntries(
    Object.entries({ runtime, cluster, namespace, workload, name }).filter(([, value]) => value),
  );
}
