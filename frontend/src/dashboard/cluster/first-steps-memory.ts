import type { ClusterDto, JobDto } from '../../shared/api/api-types';
import { readStored, store } from '../../shared/browser/browser-storage';

const KEY = 'slipway.first-steps.closed';
/** The oldest are forgotten. */
const MAX_CLUSTERS = 50;
/** Later, a cluster is no longer new, and the steps would only take space. */
const NEW_MS = 3_600_000;

type Identity = Pick<ClusterDto, 'name' | 'runtime' | 'created_at'>;

/** Whether to show the first steps by themselves: its creation has succeeded, and the user has not closed them. */
export function isNew(cluster: Identity, creation: JobDto | undefined, now: number): boolean {
  const end = creation?.state === 'succeeded' ? creation.finished_at : null;
  return end !== null && now - Date.parse(end) < NEW_MS && !closed().includes(identityOf(cluster));
}

/** Remembers in this browser that the user closed the first steps of a cluster. */
export function rememberClosed(cluster: Identity): void {
  store(KEY, [...new Set([...closed(), identityOf(cluster)])].slice(-MAX_CLUSTERS));
}

function closed(): string[] {
  const stored = readStored(KEY);
  return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
}

/** A later cluster of the same name is another one. */
function identityOf({ name, runtime, created_at }: Identity): string {
  return `${runtime}/${name}@${created_at}`;
}
