import type { ApiProblem } from '../../shared/api/api-problem';

/** The losses of a drain; Pods as `namespace/name`. */
export interface DrainLosses {
  /** Without a controller. */
  bare: readonly string[];
  /** With data in emptyDir volumes. */
  emptydir: readonly string[];
}

/** Losses that the server wants confirmed; null for other problems. */
export function drainLosses({ code, details }: ApiProblem): DrainLosses | null {
  if (code !== 'confirmation_required' || typeof details !== 'object' || details === null) return null;
  const { bare, emptydir } = details as Partial<Record<keyof DrainLosses, unknown>>;
  const losses = { bare: namesIn(bare), emptydir: namesIn(emptydir) };
  return losses.bare.length + losses.emptydir.length > 0 ? losses : null;
}

function namesIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}
