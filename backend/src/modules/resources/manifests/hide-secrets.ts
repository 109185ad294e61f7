import { parseJson } from '../../../core/parsing/index.js';
import { isRecord, recordOf } from '../../../core/values/index.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { HIDDEN_VALUE } from './hidden-value.js';

/** Set by client-side apply; contains the whole applied object. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Annotations of a Secret that cannot contain its values. Others can: several tools store the applied object in an
 * annotation, sometimes compressed, so that a search for the values would not find them.
 */
const SAFE_ANNOTATIONS =
  /^(kubernetes\.io\/service-account\.(name|uid)|meta\.helm\.sh\/release-(name|namespace))$/;

export function isSecret(object: unknown): object is KubernetesObject {
  const { apiVersion, kind } = recordOf(object);
  return kind === 'Secret' && (apiVersion === undefined || apiVersion === 'v1');
}

export function hiddenKeys(object: KubernetesObject): string[] {
  if (!isSecret(object)) return [];
  return [
    ...new Set([...Object.keys(recordOf(object['data'])), ...Object.keys(recordOf(object['stringData']))]),
  ].sort();
}

/**
 * A copy without the values of Secrets, which must not leave the server, and without `managedFields`. Secrets inside
 * other objects, such as lists or templates of custom resources, are hidden too.
 */
export function hideSecrets(object: KubernetesObject): KubernetesObject {
  const metadata = { ...object.metadata };
  delete metadata['managedFields'];
  const shown = hide<KubernetesObject>({ ...object, metadata });
  const annotations = shown.metadata.annotations;
  const applied = annotations?.[LAST_APPLIED];
  if (!annotations || applied === undefined || applied === HIDDEN_VALUE || !mayContainSecret(applied)) {
    return shown;
  }
  return {
    ...shown,
    metadata: { ...shown.metadata, annotations: { ...annotations, [LAST_APPLIED]: HIDDEN_VALUE } },
  };
}

/** Replaces HIDDEN_VALUE by the stored values, in Secrets, their annotations and nested Secrets. */
export function restoreHidden(edited: KubernetesObject, stored: unknown): KubernetesObject;
export function restoreHidden(edited: unknown, stored: unknown): unknown;
export function restoreHidden(edited: unknown, stored: unknown): unknown {
  if (edited === HIDDEN_VALUE) return stored === undefined ? edited : stored;
  if (Array.isArray(edited)) {
    const items: unknown[] = Array.isArray(stored) ? stored : [];
    return edited.map((item: unknown, index) => restoreHidden(item, items[index]));
  }
  if (!isRecord(edited)) return edited;
  const before = recordOf(stored);
  return Object.fromEntries(
    Object.entries(edited).map(([key, value]) => [
      key,
      restoreHidden(value, Object.hasOwn(before, key) ? before[key] : undefined),
    ]),
  );
}

/** Keeps the kinds of values, and thereby the type of an object. */
function hide<TValue>(value: TValue): TValue;
function hide(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => hide(each));
  if (!isRecord(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, hide(child)]));
  if (!isSecret(value)) return copy;
  for (const field of ['data', 'stringData']) {
    if (isRecord(copy[field])) copy[field] = masked(copy[field], () => false);
  }
  if (isRecord(copy['metadata'])) {
    const metadata = { ...copy['metadata'] };
    delete metadata['managedFields'];
    if (isRecord(metadata['annotations'])) {
      metadata['annotations'] = masked(metadata['annotations'], (name) => SAFE_ANNOTATIONS.test(name));
    }
    copy['metadata'] = metadata;
  }
  return copy;
}

function masked(values: Record<string, unknown>, isSafe: (name: string) => boolean): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isSafe(name) ? value : HIDDEN_VALUE]),
  );
}

/** Whether JSON contains a Secret; true if it cannot be parsed. */
function mayContainSecret(json: string): boolean {
  if (!json.includes('Secret')) return false;
  try {
    return containsSecret(parseJson(json));
  } catch {
    return true;
  }
}

function containsSecret(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isSecret(value) || Object.values(value).some(containsSecret);
}
