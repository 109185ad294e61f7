import { isDeepStrictEqual } from 'node:util';
import { invalidField } from '../../../core/errors/index.js';
import { recordOf } from '../../../core/values/index.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { HIDDEN_VALUE, hideSecrets, isSecret, restoreHidden } from '../../resources/index.js';

/**
 * Replaces HIDDEN_VALUE in an object by the stored values. In objects without hidden values it is ordinary text.
 * @throws DomainError `invalid_input` if no value is stored in its place, or if the value would become visible, because
 * a nested Secret was changed to another kind
 */
export function restoreHiddenValues(
  sent: KubernetesObject,
  stored: KubernetesObject | null,
): KubernetesObject {
  const hasHiddenValues =
    isSecret(sent) || (stored !== null && !isDeepStrictEqual(hideSecrets(stored), hideNothing(stored)));
  if (!hasHiddenValues) return sent;
  const edited = withoutHiddenText(sent);
  const restored = restoreHidden(edited, stored);
  const left = markedIn(restored);
  if (left.length === 0) return assertHidden(restored, edited, stored);
  throw invalidField(
    'yaml',
    `contains ${HIDDEN_VALUE} at ${left.slice(0, 5).join(', ')}, where no value is stored`,
    'Enter the value, or remove the key.',
  );
}

/** Responses contain the new object, so values that are hidden in the stored object must be hidden in it too. */
function assertHidden(
  restored: KubernetesObject,
  edited: KubernetesObject,
  stored: KubernetesObject | null,
): KubernetesObject {
  const wereHidden = new Set(stored === null ? [] : markedIn(hideSecrets(stored)));
  const areHidden = new Set(markedIn(hideSecrets(restored)));
  const shown = markedIn(edited).filter((path) => wereHidden.has(path) && !areHidden.has(path));
  if (shown.length === 0) return restored;
  throw invalidField(
    'yaml',
    `contains ${HIDDEN_VALUE} at ${shown.slice(0, 5).join(', ')}, where the value would no longer be hidden`,
    'Enter the value, or keep the enclosing object a Secret.',
  );
}

function hideNothing(object: KubernetesObject): KubernetesObject {
  const metadata = { ...object.metadata };
  delete metadata['managedFields'];
  return { ...object, metadata };
}

/** Moves hidden values from `stringData` to `data`, where the API server stores them. */
function withoutHiddenText(sent: KubernetesObject): KubernetesObject {
  const text = sent['stringData'];
  if (!isSecret(sent) || typeof text !== 'object' || text === null) return sent;
  const kept = Object.entries(text).filter(([, value]) => value === HIDDEN_VALUE);
  if (kept.length === 0) return sent;
  const rest = Object.entries(text).filter(([, value]) => value !== HIDDEN_VALUE);
  return {
    ...sent,
    data: { ...Object.fromEntries(kept), ...recordOf(sent['data']) },
    stringData: Object.fromEntries(rest),
  };
}

function markedIn(value: unknown, path = ''): string[] {
  if (value === HIDDEN_VALUE) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    markedIn(child, Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
  );
}
