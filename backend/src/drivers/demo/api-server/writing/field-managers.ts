import { ApiFailure } from '../status.js';
import type { ApiObject, ManagedFields, Metadata } from '../shapes.js';
import { isFields, itemKey, mergeKeys, type Fields } from './merge-keys.js';

/** Who writes, and by which version of the type. */
export interface Writer {
  manager: string;
  apiVersion: string;
  time: string;
  subresource?: string;
}

/** What nobody owns: the server gives it, or it says what the object is. */
const UNOWNED = new Set(['apiVersion', 'kind']);
const OWNED_METADATA = new Set(['labels', 'annotations', 'finalizers', 'ownerReferences']);

/** A field as FieldsV1 names it: its steps, joined by a character that is in none of them. */
type Path = string;
const SEPARATOR = '\u0000';

/** Every field that an object sets, with its value; of lists of named items those of the items. */
export function leavesOf(object: ApiObject): Map<Path, unknown> {
  const leaves = new Map<Path, unknown>();
  for (const [field, value] of Object.entries(object)) {
    if (UNOWNED.has(field)) continue;
    if (field !== 'metadata') collect(leaves, [`f:${field}`], field, value);
    else {
      for (const [own, content] of Object.entries(value as Metadata)) {
        if (OWNED_METADATA.has(own)) collect(leaves, ['f:metadata', `f:${own}`], own, content);
      }
    }
  }
  return leaves;
}

function collect(leaves: Map<Path, unknown>, path: readonly string[], field: string, value: unknown): void {
  if (value === undefined) return;
  if (isFields(value) && Object.keys(value).length > 0) {
    for (const [name, content] of Object.entries(value)) {
      collect(leaves, [...path, `f:${name}`], name, content);
    }
    return;
  }
  const keys = Array.isArray(value) ? mergeKeys(field, value) : undefined;
  if (!keys) {
    leaves.set(path.join(SEPARATOR), value);
    return;
  }
  for (const item of (value as unknown[]).filter(isFields)) {
    const step = `k:${itemKey(item, keys)}`;
    for (const [name, content] of Object.entries(item)) {
      collect(leaves, [...path, step, `f:${name}`], name, content);
    }
  }
}

/** After a create, a replacement or a patch: what it changed is the writer's, and nobody else's. */
export function afterUpdate(
  before: ApiObject | undefined,
  after: ApiObject,
  writer: Writer,
): ManagedFields[] {
  const then = before ? leavesOf(before) : new Map<Path, unknown>();
  const now = leavesOf(after);
  const changed = [...now].filter(([path, value]) => !same(then.get(path), value)).map(([path]) => path);
  const entries = (before?.metadata.managedFields ?? []).map((entry) => ({ entry, paths: pathsOf(entry) }));
  const own = entries.find(({ entry }) => isOf(entry, writer, 'Update'));
  const mine = new Set([...(own?.paths ?? []), ...changed]);
  return [
    ...entries
      .filter((one) => one !== own)
      .flatMap(({ entry, paths }) => {
        const kept = paths.filter((path) => now.has(path) && !changed.includes(path));
        return entryWith(entry, kept);
      }),
    ...entryWith(
      { ...identity(writer, 'Update'), time: changed.length > 0 ? writer.time : own?.entry.time },
      [...mine].filter((path) => now.has(path)),
    ),
  ];
}

/**
 * Server-side apply: the fields of a configuration, laid over the object that is there.
 * @throws ApiFailure 409 where somebody else holds another value, unless it is taken over.
 */
export function applied(
  live: ApiObject,
  configuration: ApiObject,
  writer: Writer,
  force: boolean,
): { object: ApiObject; managedFields: ManagedFields[] } {
  const wanted = leavesOf(configuration);
  const current = leavesOf(live);
  const entries = (live.metadata.managedFields ?? []).map((entry) => ({ entry, paths: pathsOf(entry) }));
  const own = entries.find(({ entry }) => isOf(entry, writer, 'Apply'));
  const others = entries.filter((one) => one !== own);
  const taken = others.flatMap(({ entry, paths }) =>
    paths
      .filter((path) => wanted.has(path) && !same(wanted.get(path), current.get(path)))
      .map((path) => ({ entry, path })),
  );
  if (taken.length > 0 && !force) throw conflictOf(taken);
  const lost = new Set(taken.map(({ path }) => path));
  // What this manager applied before and no longer does goes, unless somebody else wants it too.
  const dropped = (own?.paths ?? []).filter(
    (path) => !wanted.has(path) && !others.some(({ paths }) => paths.includes(path)),
  );
  const object = overlay(pruned(live, dropped), configuration) as ApiObject;
  return {
    object,
    managedFields: [
      ...others.flatMap(({ entry, paths }) =>
        entryWith(
          entry,
          paths.filter((path) => !lost.has(path)),
        ),
      ),
      ...entryWith(
        { ...identity(writer, 'Apply'), time: unchanged(own?.paths, wanted) ? own?.entry.time : writer.time },
        [...wanted.keys()],
      ),
    ],
  };
}

function unchanged(before: readonly Path[] | undefined, wanted: ReadonlyMap<Path, unknown>): boolean {
  return before?.length === wanted.size && before.every((path) => wanted.has(path));
}

function overlay(target: unknown, source: unknown, field = ''): unknown {
  if (Array.isArray(source)) {
    const before = Array.isArray(target) ? target : [];
    const keys = mergeKeys(field, source);
    if (!keys) return source;
    const items = new Map(before.filter(isFields).map((item) => [itemKey(item, keys), item]));
    for (const item of source.filter(isFields)) {
      const key = itemKey(item, keys);
      items.set(key, overlay(items.get(key), item) as Fields);
    }
    return [...items.values()];
  }
  if (!isFields(source)) return source;
  const merged: Fields = isFields(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(source)) merged[name] = overlay(merged[name], value, name);
  return merged;
}

/** An object without some of its fields, and without what is empty then. */
function pruned(object: ApiObject, paths: readonly Path[]): ApiObject {
  const copy = structuredClone(object);
  for (const path of paths) prune(copy, path.split(SEPARATOR), '');
  return copy;
}

function prune(value: unknown, [step = '', ...rest]: readonly string[], field: string): void {
  const name = step.slice(2);
  if (Array.isArray(value)) {
    const keys = Object.keys(JSON.parse(name) as Fields);
    const index = value.findIndex((item) => isFields(item) && itemKey(item, keys) === name);
    if (index === -1) return;
    prune(value[index], rest, field);
    // An item of which only its name is left was this manager's whole.
    const left: unknown = value[index];
    if (
      isFields(left) &&
      Object.keys(left).every((key) => keys.includes(key)) &&
      rest[0] === `f:${keys[0] ?? ''}`
    ) {
      value.splice(index, 1);
    }
    return;
  }
  if (!isFields(value)) return;
  if (rest.length === 0) {
    Reflect.deleteProperty(value, name);
    return;
  }
  prune(value[name], rest, name);
  const left = value[name];
  if (isFields(left) && Object.keys(left).length === 0) Reflect.deleteProperty(value, name);
}

function conflictOf(taken: readonly { entry: ManagedFields; path: Path }[]): ApiFailure {
  const causes = taken.map(({ entry, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with "${entry.manager}"${entry.subresource ? ` with subresource "${entry.subresource}"` : ''} using ${entry.apiVersion}`,
    field: shown(path),
  }));
  const [first] = causes;
  const count = `Apply failed with ${causes.length} conflict${causes.length === 1 ? '' : 's'}`;
  const message =
    causes.length === 1
      ? `${count}: ${first?.message ?? ''}: ${first?.field ?? ''}`
      : `${count}: ${[...new Set(causes.map((cause) => cause.message))]
          .map(
            (said) =>
              `${said}:\n${causes
                .filter((cause) => cause.message === said)
                .map(({ field }) => `- ${field}`)
                .join('\n')}`,
          )
          .join('\n')}`;
  return new ApiFailure(409, 'Conflict', message, { causes });
}

/** `.spec.template.spec.containers[name="web"].image` */
function shown(path: Path): string {
  return path
    .split(SEPARATOR)
    .map((step) => {
      if (step.startsWith('f:')) return `.${step.slice(2)}`;
      const keys = Object.entries(JSON.parse(step.slice(2)) as Fields);
      return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`;
    })
    .join('');
}

function identity(writer: Writer, operation: 'Apply' | 'Update'): Omit<ManagedFields, 'fieldsV1'> {
  const { manager, apiVersion, subresource } = writer;
  return { manager, operation, apiVersion, fieldsType: 'FieldsV1', ...(subresource ? { subresource } : {}) };
}

function isOf(entry: ManagedFields, writer: Writer, operation: 'Apply' | 'Update'): boolean {
  return (
    entry.manager === writer.manager &&
    entry.operation === operation &&
    (operation === 'Apply' || entry.subresource === writer.subresource)
  );
}

function entryWith(entry: Omit<ManagedFields, 'fieldsV1'>, paths: readonly Path[]): ManagedFields[] {
  if (paths.length === 0) return [];
  const fieldsV1: Fields = {};
  for (const path of paths) {
    let level = fieldsV1;
    for (const step of path.split(SEPARATOR)) {
      level[step] ??= {};
      level = level[step] as Fields;
    }
  }
  return [{ ...entry, fieldsV1 }];
}

function pathsOf({ fieldsV1 }: ManagedFields): Path[] {
  const paths: Path[] = [];
  const walk = (level: Fields, path: readonly string[]): void => {
    const steps = Object.entries(level).filter(([step]) => step !== '.');
    if (steps.length === 0 && path.length > 0) paths.push(path.join(SEPARATOR));
    for (const [step, below] of steps) walk(below as Fields, [...path, step]);
  };
  walk(fieldsV1, []);
  return paths;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
