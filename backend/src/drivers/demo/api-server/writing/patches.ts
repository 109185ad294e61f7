import type { ApiType } from '../api-types.js';
import type { ApiObject } from '../shapes.js';
import { ApiFailure, badRequest, unprocessable } from '../status.js';
import { decode } from './decoding.js';
import { isFields, itemKey, mergeKeys, type Fields } from './merge-keys.js';

/** What a patch makes of an object. @throws ApiFailure 400, 415, 422 */
export function patchedBy(
  mediaType: string | undefined,
  before: ApiObject,
  body: string | undefined,
  type: ApiType,
): unknown {
  if (mediaType === 'application/json-patch+json') return jsonPatch(before, JSON.parse(body ?? ''));
  if (mediaType === 'application/merge-patch+json') return mergePatch(before, decode(body, type));
  // Custom resources have no schema that says how lists are merged.
  if (mediaType === 'application/strategic-merge-patch+json' && !type.custom) {
    return strategicMergePatch(before, decode(body, type));
  }
  throw new ApiFailure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

/** RFC 7386. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const merged: Fields = isFields(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(merged, field);
    else merged[field] = mergePatch(merged[field], value);
  }
  return merged;
}

/** Kubernetes' own: like a merge patch, but lists of named items are merged item by item. */
function strategicMergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  if (patch['$patch'] === 'replace') return withoutDirectives(patch);
  const merged: Fields = isFields(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(withoutDirectives(patch))) {
    if (value === null) Reflect.deleteProperty(merged, field);
    else if (Array.isArray(value)) merged[field] = strategicList(field, merged[field], value);
    else merged[field] = strategicMergePatch(merged[field], value);
  }
  for (const [directive, values] of Object.entries(patch)) {
    const field = /^\$deleteFromPrimitiveList\/(.+)$/.exec(directive)?.[1];
    const current = merged[field ?? ''];
    if (field === undefined || !Array.isArray(values) || !Array.isArray(current)) continue;
    merged[field] = current.filter((item) => !values.includes(item));
  }
  return merged;
}

function strategicList(field: string, current: unknown, patch: readonly unknown[]): unknown[] {
  if (patch.some((item) => isFields(item) && item['$patch'] === 'replace')) {
    return patch.filter((item) => !(isFields(item) && item['$patch'] === 'replace'));
  }
  // Finalizers are the one list of plain values that is merged.
  if (field === 'finalizers') return [...new Set([...((current as unknown[] | undefined) ?? []), ...patch])];
  const before: unknown[] = Array.isArray(current) ? current : [];
  const keys = mergeKeys(field, [...before, ...patch]) ?? mergeKeys(field, patch);
  if (!keys) return [...patch];
  const items = new Map(before.filter(isFields).map((item) => [itemKey(item, keys), item]));
  for (const item of patch.filter(isFields)) {
    const key = itemKey(item, keys);
    if (item['$patch'] === 'delete') items.delete(key);
    else items.set(key, strategicMergePatch(items.get(key), item) as Fields);
  }
  return [...items.values()];
}

function withoutDirectives(patch: Fields): Fields {
  return Object.fromEntries(Object.entries(patch).filter(([field]) => !field.startsWith('$')));
}

interface Operation {
  op?: string;
  path?: string;
  from?: string;
  value?: unknown;
}

/** RFC 6902. @throws ApiFailure 400, 422 */
function jsonPatch(target: unknown, operations: unknown): unknown {
  if (!Array.isArray(operations)) throw badRequest('error decoding patch: it is no list of operations');
  let document = structuredClone(target);
  for (const { op = '', path = '', from = '', value } of operations as Operation[]) {
    switch (op) {
      case 'add':
      case 'replace':
        if (op === 'replace' && read(document, path) === undefined) throw unprocessable();
        document = write(document, path, value, op === 'add');
        break;
      case 'remove':
        remove(document, path);
        break;
      case 'test':
        if (JSON.stringify(read(document, path)) !== JSON.stringify(value)) throw unprocessable();
        break;
      case 'copy':
      case 'move': {
        const moved = structuredClone(read(document, from));
        if (moved === undefined) throw unprocessable();
        if (op === 'move') remove(document, from);
        document = write(document, path, moved, true);
        break;
      }
      default:
        throw badRequest(`error decoding patch: unexpected operation "${op}"`);
    }
  }
  return document;
}

function stepsOf(path: string): string[] {
  if (path === '') return [];
  if (!path.startsWith('/')) throw unprocessable();
  return path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function read(document: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Fields)[step]
        : undefined,
    document,
  );
}

function parentOf(document: unknown, path: string): [parent: Fields | unknown[], last: string] {
  const steps = stepsOf(path);
  const last = steps.pop() ?? '';
  const parent = read(
    document,
    steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
  );
  if (!isFields(parent) && !Array.isArray(parent)) throw unprocessable();
  return [parent, last];
}

function write(document: unknown, path: string, value: unknown, insert: boolean): unknown {
  if (path === '') return value;
  const [parent, last] = parentOf(document, path);
  if (!Array.isArray(parent)) parent[last] = value;
  else {
    const index = last === '-' ? parent.length : Number(last);
    if (!Number.isInteger(index) || index < 0 || index > parent.length) throw unprocessable();
    parent.splice(index, insert ? 0 : 1, value);
  }
  return document;
}

function remove(document: unknown, path: string): void {
  if (read(document, path) === undefined) throw unprocessable();
  const [parent, last] = parentOf(document, path);
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else Reflect.deleteProperty(parent, last);
}
