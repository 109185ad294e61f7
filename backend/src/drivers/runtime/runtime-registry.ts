import type { Observable } from 'rxjs';
import type { EnginePlacement } from './host/engine-candidate.js';
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

/** An engine that exists on this machine, or an address that leads to one. */
export interface SurveyedEngine {
  source: string;
  address: string;
  placement: EnginePlacement;
  /** Why the placement is unknown; null if it is known. */
  reason: string | null;
}

/** Where each engine of this machine runs its containers, also the engines that Slipway does not use. */
export interface Survey {
  /** Looks for engines, unless it just has, and waits until each has been asked once, for 5 s by default. */
  settle: (waitMs?: number) => Promise<void>;
  /** Whether each engine has been asked once, which takes 5 s at most. */
  isComplete: () => boolean;
  engines: () => SurveyedEngine[];
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

  abstract readonly survey: Survey;

  /** Reports the error of a call, so that an unavailable engine is noticed before the next check. */
  abstract report(id: string, error: unknown): void;

  /** Emits when a runtime becomes available or unavailable. */
  abstract readonly changes: Observable<void>;
}
