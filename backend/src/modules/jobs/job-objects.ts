import type { JobStore } from './job.store.js';

/** How long a provisioner may run on after Slipway was killed, where its end is not known. */
export const ASSUMED_RUN_ON_MS = 60_000;

/** Why a job recorded an object: it created it, or it is to delete it. */
export type ObjectPurpose = 'create' | 'delete';

/** A container or volume of an engine that belongs to a job. */
export interface JobObject {
  type: 'container' | 'volume';
  /** The engine's id of a container, or the name of a volume. */
  id: string;
  /** Name of the node that it is, or that it is a volume of. */
  node: string;
}

/** When the provisioner of a job ran, in milliseconds since the epoch by this machine's clock. */
export interface CreationPeriod {
  from: number;
  to: number;
  /** How far the engine's clock was ahead of this machine's. */
  clockOffsetMs: number;
}

/**
 * What belongs to a job in an engine. Written to the database at once: after a crash it decides what the job may
 * remove, because a cluster's name alone proves nothing.
 */
export interface JobObjects {
  record(purpose: ObjectPurpose, objects: readonly JobObject[]): void;
  recorded(purpose: ObjectPurpose): JobObject[];
  /** To be called right before the provisioner starts. */
  beginCreation(clockOffsetMs: number): void;
  /** To be called once its process has ended. */
  endCreation(): void;
  /** Null where the provisioner has not run. Up to the present while it runs. */
  creation(): CreationPeriod | null;
  /** Gives up everything that was recorded as created: another program created it. */
  disown(): void;
}

/** @param persist runs each write; it decides what a write that fails means. */
export function storedObjects(
  jobId: number,
  store: JobStore,
  persist: (write: () => void) => void,
): JobObjects {
  return {
    record: (purpose, objects) => persist(() => store.addObjects(jobId, purpose, objects)),
    recorded: (purpose) => store.objects(jobId, purpose),
    beginCreation: (clockOffsetMs) => persist(() => store.beginCreation(jobId, Date.now(), clockOffsetMs)),
    endCreation: () => persist(() => store.endCreation(jobId, Date.now())),
    creation: () => store.creation(jobId, Date.now()),
    disown: () => persist(() => store.disown(jobId)),
  };
}
