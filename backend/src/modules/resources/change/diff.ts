import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { HIDDEN_VALUE } from '../hidden-value.js';
import { hideSecrets, isSecret } from '../hide-secrets.js';
import { printManifest } from '../manifests/print-manifest.js';

/** Stands for a hidden value that a change sets or has set: that it changes may be seen. */
export const CHANGED_VALUE = '<hidden, changed>';

export interface Difference {
  /** Null of what was not there. */
  before: string | null;
  after: string;
  changed: boolean;
}

/** What the cluster itself counts with each change, whatever it was. */
const COUNTED = ['resourceVersion', 'generation', 'managedFields', 'selfLink'];
/** What a dry run makes up for an object that is not there yet. */
const MADE_UP = ['uid', 'creationTimestamp'];

/**
 * What becomes of an object, as YAML of before and after, without what nobody changed: what the cluster counts,
 * and the status where it is the same.
 */
export function diffObjects(before: KubernetesObject | null, after: KubernetesObject): Difference {
  if (before === null) {
    return {
      before: null,
      after: printManifest(hideSecrets(trimmed(after, [...COUNTED, ...MADE_UP]))),
      changed: true,
    };
  }
  const [old, fresh] = withoutSameStatus(trimmed(before, COUNTED), trimmed(after, COUNTED));
  return {
    before: printManifest(hideSecrets(old)),
    after: printManifest(markChanged(old, fresh)),
    changed: !isDeepStrictEqual(old, fresh),
  };
}

function trimmed(object: KubernetesObject, fields: readonly string[]): KubernetesObject {
  const metadata = Object.fromEntries(
    Object.entries(object.metadata).filter(([field]) => !fields.includes(field)),
  );
  return { ...object, metadata: { ...metadata, name: object.metadata.name } };
}

function withoutSameStatus(
  before: KubernetesObject,
  after: KubernetesObject,
): [KubernetesObject, KubernetesObject] {
  const { status: old, ...rest } = before;
  const { status: fresh, ...changed } = after;
  return isDeepStrictEqual(old, fresh) ? [rest, changed] : [before, after];
}

/** A Secret without its values, of which those that changed are told apart. */
function markChanged(before: KubernetesObject, after: KubernetesObject): KubernetesObject {
  const shown = hideSecrets(after);
  if (!isSecret(after)) return shown;
  const mark = (hidden: unknown, old: unknown, fresh: unknown): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(record(hidden)).map(([key, value]) => [
        key,
        value === HIDDEN_VALUE && record(old)[key] !== record(fresh)[key] ? CHANGED_VALUE : value,
      ]),
    );
  return {
    ...shown,
    ...(shown['data'] !== undefined && { data: mark(shown['data'], before['data'], after['data']) }),
    metadata: {
      ...shown.metadata,
      ...(shown.metadata.annotations && {
        annotations: mark(
          shown.metadata.annotations,
          before.metadata.annotations,
          after.metadata.annotations,
        ) as Record<string, string>,
      }),
    },
  };
}

function record(value: unknown): Record<string, unknown> {
  return (value ?? {}) as Record<string, unknown>;
}
