/** Clusters by what they ask of a person. */
export const GROUPS = ['all', 'attention', 'running', 'resting'] as const;
export type Group = (typeof GROUPS)[number];

export const SORT_KEYS = ['state', 'name', 'engine', 'age', 'cpu', 'memory'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface Sort {
  key: SortKey;
  /** The other way round than one would look first. */
  reversed: boolean;
}

/** What the list shows: kept in the address, so that it can be linked, reloaded and gone back to. */
export interface ListView {
  text: string;
  group: Group;
  /** One engine's clusters only; empty for all. */
  engine: string;
  sort: Sort;
}

export const WHOLE_LIST: ListView = {
  text: '',
  group: 'all',
  engine: '',
  sort: { key: 'state', reversed: false },
};

/** Reads an address; what it holds that makes no sense is left out. */
export function readListView(read: (name: string) => string | null): ListView {
  const sort = read('sort') ?? '';
  const engine = read('engine') ?? '';
  return {
    text: (read('filter') ?? '').slice(0, 200),
    group: GROUPS.find((group) => group === read('show')) ?? WHOLE_LIST.group,
    engine: /^[a-z][a-z0-9-]{0,30}$/.test(engine) ? engine : '',
    sort: {
      key: SORT_KEYS.find((key) => key === sort.replace(/^-/, '')) ?? WHOLE_LIST.sort.key,
      reversed: sort.startsWith('-'),
    },
  };
}

/** The address of a view; null for what is as it is without being asked for. */
export function listParams({ text, group, engine, sort }: ListView): Record<string, string | null> {
  const order = `${sort.reversed ? '-' : ''}${sort.key}`;
  return {
    filter: text.trim() || null,
    show: group === WHOLE_LIST.group ? null : group,
    engine: engine || null,
    sort: order === WHOLE_LIST.sort.key ? null : order,
  };
}
