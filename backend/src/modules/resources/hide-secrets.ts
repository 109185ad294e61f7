import type { KubernetesObject } from '../../drivers/kubernetes/index.js';
import { HIDDEN_VALUE } from './hidden-value.js';

/** Written by client-side apply, with everything that was applied. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Annotations of a Secret that hold no copy of it. Others may: several tools keep what they applied in an annotation
 * of their own, compressed too, so that looking for the values in it would not find them.
 */
const HARMLESS = /^(kubernetes\.io\/service-account\.(name|uid)|meta\.helm\.sh\/release-(name|namespace))$/;

type Fields = Record<string, unknown>;

/** Whether its values are secret, whatever they are called. */
export function isSecret(object: unknown): object is KubernetesObject {
  const { apiVersion, kind } = (object ?? {}) as Fields;
  return kind === 'Secret' && (apiVersion === undefined || apiVersion === 'v1');
}

/** The keys of a Secret whose values are hidden, sorted. */
export function hiddenKeys(object: KubernetesObject): string[] {
  if (!isSecret(object)) return [];
  return [
    ...new Set([...Object.keys(mapOf(object['data'])), ...Object.keys(mapOf(object['stringData']))]),
  ].sort();
}

/**
 * A copy without what may not leave the server: the values of a Secret, and every copy of them. A Secret that is
 * inside another object, as in a list or in the template of a custom kind, is hidden likewise.
 * `managedFields`, which nobody reads, are left out.
 */
export function hideSecrets(object: KubernetesObject): KubernetesObject {
  const metadata = { ...object.metadata };
  delete metadata['managedFields'];
  const shown = hide({ ...object, metadata }) as KubernetesObject;
  const annotations = shown.metadata.annotations;
  const applied = annotations?.[LAST_APPLIED];
  if (!annotations || applied === undefined || applied === HIDDEN_VALUE || !holdsSecret(applied)) {
    return shown;
  }
  return {
    ...shown,
    metadata: { ...shown.metadata, annotations: { ...annotations, [LAST_APPLIED]: HIDDEN_VALUE } },
  };
}

/**
 * What was edited, with the stored values where the mark was left: those of the Secret itself, of its annotations, and
 * of Secrets inside of it.
 */
export function restoreHidden<TValue>(edited: TValue, stored: unknown): TValue {
  if (edited === HIDDEN_VALUE) return (stored === undefined ? edited : stored) as TValue;
  if (Array.isArray(edited)) {
    const items = Array.isArray(stored) ? (stored as unknown[]) : [];
    return edited.map((item: unknown, index) => restoreHidden(item, items[index])) as TValue;
  }
  if (!isMap(edited)) return edited;
  const before = mapOf(stored);
  return Object.fromEntries(
    Object.entries(edited).map(([key, value]) => [
      key,
      restoreHidden(value, Object.hasOwn(before, key) ? before[key] : undefined),
    ]),
  ) as TValue;
}

function hide(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hide);
  if (!isMap(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, hide(child)]));
  if (!isSecret(value)) return copy;
  for (const field of ['data', 'stringData']) {
    if (isMap(copy[field])) copy[field] = marked(copy[field], () => false);
  }
  if (isMap(copy['metadata'])) {
    const metadata = { ...copy['metadata'] };
    delete metadata['managedFields'];
    if (isMap(metadata['annotations'])) {
      metadata['annotations'] = marked(metadata['annotations'], (name) => HARMLESS.test(name));
    }
    copy['metadata'] = metadata;
  }
  return copy;
}

function marked(values: Fields, mayShow: (name: string) => boolean): Fields {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, mayShow(name) ? value : HIDDEN_VALUE]),
  );
}

/** Whether JSON holds a Secret somewhere; what cannot be read may. */
function holdsSecret(json: string): boolean {
  if (!json.includes('Secret')) return false;
  try {
    return containsSecret(JSON.parse(json));
  } catch {
    return true;
  }
}

function containsSecret(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isSecret(value) || Object.values(value).some(containsSecret);
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapOf(value: unknown): Fields {
  return isMap(value) ? value : {};
}
