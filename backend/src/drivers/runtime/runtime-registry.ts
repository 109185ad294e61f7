import type { Observable } from 'rxjs';
import type { RuntimeDriver, RuntimeInfo } from './runtime-driver.js';

/** A place where an engine was looked for. */
export interface RuntimeAttempt {
  source: string;
  address: string | null;
  answered: boolean;
  /** Why it cannot be used, and the command that changes that. */
  reason: string | null;
  fix: string | null;
}

/** One runtime as it stands now. */
export interface RuntimeStatus {
  id: string;
  available: boolean;
  /** Why not, in a sentence. */
  reason: string | null;
  /** The command that fixes it, where there is one. */
  fix: string | null;
  info: RuntimeInfo | null;
  /** Since when it answers, or does not. RFC 3339. */
  since: string;
  attempts: RuntimeAttempt[];
}

/**
 * Every runtime of this machine: those that answer, and those that ought to. Asks again by itself, so an
 * engine that is started later joins without a restart.
 */
export abstract class RuntimeRegistry {
  /** All runtimes that were found or looked for, the active one first. */
  abstract statuses(): RuntimeStatus[];

  /** The runtimes that answer. */
  abstract available(): RuntimeDriver[];

  /** @throws DomainError `runtime_unavailable` with the reason, also for a runtime that nobody knows. */
  abstract get(id: string): RuntimeDriver;

  /** The runtime of new clusters, reported as `container_cli`; undefined while none answers. */
  abstract active(): RuntimeDriver | undefined;

  /** Reports what a caller saw, so that a broken engine is noticed at once and not at the next turn. */
  abstract report(id: string, error: unknown): void;

  /** Emits whenever a runtime begins or ceases to answer. */
  abstract readonly changes: Observable<void>;
}
