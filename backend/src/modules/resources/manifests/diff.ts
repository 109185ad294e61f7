import { isDeepStrictEqual } from 'node:util';
import { recordOf } from '../../../core/values/index.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { HIDDEN_VALUE } from './hidden-value.js';
import { hideSecrets, isSecret } from './hide-secrets.js';
import { printManifest } from './print-manifest.js';

/** Replaces hidden values that changed. */
const CHANGED_VALUE = '<hidden, changed>';

interface ObjectDiff {
  /** Null if the object did not exist. */
  before: string | null;
  after: string;
  changed: boolean;
}

/** Fields that the cluster updates with each change. */
const SERVER_FIELDS = ['resourceVersion', 'generation', 'managedFields', 'selfLink'];
/** Fields that a dry run generates for a new object. */
const GENERATED_FIELDS = ['uid', 'creationTimestamp'];

/** YAML of an object before and after a change, without server fields and without an unchanged status. */
export function diffObjects(before: KubernetesObject | null, after: KubernetesObject): ObjectDiff {
  if (before === null) {
    return {
      before: null,
      after: printManifest(hideSecrets(trimmed(after, [...SERVER_FIELDS, ...GENERATED_FIELDS]))),
      changed: true,
    };
  }
  const [old, fresh] = withoutSameStatus(trimmed(before, SERVER_FIELDS), trimmed(after, SERVER_FIELDS));
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

/** Hides the values of a Secret and marks those that changed. */
function markChanged(before: KubernetesObject, after: KubernetesObject): KubernetesObject {
  const shown = hideSecrets(after);
  if (!isSecret(after)) return shown;
  const mark = <TValue>(
    hidden: Record<string, TValue>,
    old: unknown,
    fresh: unknown,
  ): Record<string, TValue | string> =>
    Object.fromEntries(
      Object.entries(hidden).map(([key, value]) => [
        key,
        value === HIDDEN_VALUE && recordOf(old)[key] !== recordOf(fresh)[key] ? CHANGED_VALUE : value,
      ]),
    );
  return {
    ...shown,
    ...(shown['data'] !== undefined && {
      data: mark(recordOf(shown['data']), before['data'], after['data']),
    }),
    metadata: {
      ...shown.metadata,
      ...(shown.metadata.annotations && {
        annotations: mark(
          shown.metadata.annotations,
          before.metadata.annotations,
          after.metadata.annotations,
        ),
      }),
    },
  };
}
