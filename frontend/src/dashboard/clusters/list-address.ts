export const GROUPS = ['all', 'attention', 'running', 'resting'] as const;
export type Group = (typeof GROUPS)[number];

const SORT_KEYS = ['state', 'name', 'engine', 'age', 'cpu', 'memory'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface Sort {
  key: SortKey;
  reversed: boolean;
}

/** Filter and order of the list, kept in the URL. */
export type ListView = typeof DEFAULT_VIEW;

export const DEFAULT_VIEW = {
  text: '',
  group: 'all' as Group,
  /** Empty for all engines. */
  engine: '',
  sort: { key: 'state', reversed: false } as Sort,
};

export function readListView(read: (name: string) => string | null): ListView {
  const sort = read('sort') ?? '';
  const engine = read('engine') ?? '';
  return {
    text: (read('filter') ?? '').slice(0, 200),
    group: GROUPS.find((group) => group === read('show')) ?? DEFAULT_VIEW.group,
    engine: /^[a-z][a-z0-9-]{0,30}$/.test(engine) ? engine : '',
    sort: {
      key: SORT_KEYS.find((key) => key === sort.replace(/^-/, '')) ?? DEFAULT_VIEW.sort.key,
      reversed: sort.startsWith('-'),
    },
  };
}

/** The query parameters of a view; null for defaults. */
export function listParams({ text, group, engine, sort }: ListView): Record<string, string | null> {
  const order = `${sort.reversed ? '-' : ''}${sort.key}`;
  return {
    filter: text.trim() || null,
    show: group === DEFAULT_VIEW.group ? null : group,
    engine: engine || null,
    sort: order === DEFAULT_VIEW.sort.key ? null : order,
  };
}
