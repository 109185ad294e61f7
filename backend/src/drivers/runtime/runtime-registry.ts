import type { Observable } from 'rxjs';
import type { RuntimeDriver, RuntimeInfo } from './runtime-driver.js';

export interface RuntimeAttempt {
  source: string;
  address: string | null;
  answered: boolean;
  reason: string | null;
  fix: string | null;
}

export interface RuntimeStatus {
  id: string;
  available: boolean;
  reason: string | null;
  /** A command that fixes this. */
  fix: string | null;
  info: RuntimeInfo | null;
  /** Time of the last change of `available`, RFC 3339. */
  since: string;
  attempts: RuntimeAttempt[];
}

/** The runtimes of this machine, including expected ones that do not respond. Checks them continuously. */
export abstract class RuntimeRegistry {
  /** All runtimes, the active one first. */
  abstract statuses(): RuntimeStatus[];

  abstract available(): RuntimeDriver[];

  /** @throws DomainError `runtime_unavailable` with the reason, also if the runtime does not exist. */
  abstract get(id: string): RuntimeDriver;

  /** The runtime of new clusters, reported as `container_cli`; undefined if none is available. */
  abstract active(): RuntimeDriver | undefined;

  /** Reports the error of a call, so that an unavailable engine is noticed before the next check. */
  abstract report(id: string, error: unknown): void;

  /** Emits when a runtime becomes available or unavailable. */
  abstract readonly changes: Observable<void>;
}
