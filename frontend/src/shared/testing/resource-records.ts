import type {
  ResourceBlockDto,
  ResourceObjectDto,
  ResourceTableDto,
  ResourceTypeDto,
  TableColumnDto,
  TableRowDto,
} from '../api/api-types';

/** Records of resources for specs: sound ones, with what a spec is about changed. */
export function aType(change: Partial<ResourceTypeDto> = {}): ResourceTypeDto {
  return {
    group: 'core',
    version: 'v1',
    plural: 'pods',
    kind: 'Pod',
    namespaced: true,
    verbs: ['get', 'list', 'watch', 'update', 'delete'],
    short_names: ['po'],
    custom: false,
    ...change,
  };
}

export function aColumn(name: string, change: Partial<TableColumnDto> = {}): TableColumnDto {
  return { name, type: 'string', description: '', priority: 0, ...change };
}

export function aRow(change: Partial<TableRowDto> = {}): TableRowDto {
  const name = change.name ?? 'web-0';
  return {
    uid: `uid-of-${name}`,
    namespace: 'shop',
    name,
    created_at: '2026-11-21T09:26:44Z',
    deleted_at: null,
    health: 'ok',
    owner: null,
    labels: {},
    cells: [name, '1/1', 'Running', '0', '3d'],
    cpu_millicores: null,
    memory_bytes: null,
    ...change,
  };
}

export function aTable(rows: TableRowDto[], change: Partial<ResourceTableDto> = {}): ResourceTableDto {
  return {
    type: aType(),
    columns: ['Name', 'Ready', 'Status', 'Restarts', 'Age'].map((name) => aColumn(name)),
    rows,
    total: rows.length,
    continue: null,
    position: null,
    usage: false,
    ...change,
  };
}

export function aBlock(change: Partial<ResourceBlockDto> = {}): ResourceBlockDto {
  const { columns, rows } = aTable([aRow()]);
  return { type: aType(), columns, rows, total: rows.length, health: null, error: null, ...change };
}

export function anObject(change: Partial<ResourceObjectDto> = {}): ResourceObjectDto {
  return {
    type: aType({ group: 'core', plural: 'configmaps', kind: 'ConfigMap' }),
    namespace: 'shop',
    name: 'settings',
    uid: '5d0b6c9e-0f4c-4a54-9d2b-2f6f7a1f2c11',
    resource_version: '10',
    created_at: '2026-11-21T09:26:44Z',
    yaml: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  resourceVersion: "10"\ndata:\n  color: blue\n',
    spec: null,
    status: null,
    hidden_keys: [],
    used_by: [],
    owners: [],
    actions: [],
    replicas: null,
    ...change,
  };
}
