import type { ClusterKey } from '../../shared/api/api';
import { readStored, store } from '../../shared/browser/browser-storage';

/** As the API limits it. */
export const MAX_NAMESPACES = 20;
export const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

export function isNamespace(text: string): boolean {
  return NAMESPACE.test(text);
}

/**
 * The namespaces of a URL, without invalid ones. Empty for all namespaces; null if the URL does not say, so that the
 * last choice applies.
 */
export function parseNamespaces(text: string | null): readonly string[] | null {
  return text === null ? null : validNamespaces(text.split(','));
}

/** The last choice for a cluster in this browser; empty for all. */
export function readNamespaces(key: ClusterKey): readonly string[] {
  const stored = readStored(storageKey(key));
  return Array.isArray(stored) ? validNamespaces(stored) : [];
}

export function saveNamespaces(key: ClusterKey, namespaces: readonly string[]): void {
  store(storageKey(key), namespaces.length === 0 ? undefined : namespaces);
}

/** Whether a filter shows an object. Empty shows all; cluster-scoped objects, without a namespace, are never hidden. */
export function isShown(chosen: readonly string[], namespace: string | null): boolean {
  return chosen.length === 0 || namespace === null || chosen.includes(namespace);
}

function validNamespaces(names: readonly unknown[]): string[] {
  const known = names.filter((name): name is string => typeof name === 'string' && isNamespace(name));
  return [...new Set(known)].slice(0, MAX_NAMESPACES).sort();
}

function storageKey({ runtime, name }: ClusterKey): string {
  return `slipway.namespaces.${runtime}/${name}`;
}
