import type { LogSourceDto } from '../../shared/api/api-types';
import { conditionsText, type FieldValue, type LogQuery } from '../../shared/search/log-query';
import type { SourceSelection } from '../search-model/source-group';
import { type AlertDraft, EMPTY_DRAFT } from './alert-draft';

const SHARED = ['runtime', 'cluster', 'namespace', 'workload', 'name'] as const;

/** The form of an alert for what a search shows. An alert has no time range. */
export function draftOfSearch(
  query: LogQuery,
  selection: SourceSelection,
  sources: readonly LogSourceDto[],
): AlertDraft {
  return {
    ...EMPTY_DRAFT,
    query: {
      query: conditionsText(query),
      text: query.text,
      regex: query.regex,
      case: query.matchCase,
      level: [...query.levels],
      without: query.without.join('\n'),
      field: fieldLines(query.fields),
      without_field: fieldLines(query.withoutFields),
    },
    sources: { ...EMPTY_DRAFT.sources, ...limitsOf(selection, sources) },
  };
}

/** Of a group, its own limits, so that the alert includes future sources; of single sources, what they share. */
function limitsOf(
  { groups, keys }: SourceSelection,
  sources: readonly LogSourceDto[],
): Partial<AlertDraft['sources']> {
  const [group] = groups;
  if (group && groups.length === 1 && keys.length === 0) {
    const { runtime, cluster, namespace, workload, pod, container, node } = group;
    const name = pod ?? container ?? node;
    const limits = { runtime, cluster, namespace, workload, name: name === '*' ? undefined : name };
    return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
  }
  const [first] = groups.length + keys.length === 0 ? [] : sources;
  if (!first) return {};
  const shared = SHARED.filter((field) => sources.every((source) => source[field] === first[field]));
  return Object.fromEntries(shared.map((field) => [field, first[field] ?? '']));
}

function fieldLines(fields: readonly FieldValue[]): string {
  return fields.map(({ name, value }) => `${name}:${value}`).join('\n');
}
