/** How long a provisioner may keep running after Slipway was killed, if its end is unknown. */
export const ASSUMED_RUN_ON_MS = 60_000;

/** Why a job recorded an object: the job created it, or deletes it. */
export type ObjectPurpose = 'create' | 'delete';

export interface JobObject {
  type: 'container' | 'volume';
  /** Id of the container, or name of the volume. */
  id: string;
  node: string;
}

/** When the provisioner of a job ran, in milliseconds since the epoch on the host's clock. */
export interface CreationPeriod {
  from: number;
  to: number;
  /** How far the engine's clock was ahead of the host's. */
  clockOffsetMs: number;
}

/**
 * Objects in the engine that belong to a job. They are written to the database immediately. After a crash they decide
 * what the job may remove, because the name of a cluster is no proof of ownership.
 */
export interface JobObjects {
  record(purpose: ObjectPurpose, objects: readonly JobObject[]): void;
  recorded(purpose: ObjectPurpose): JobObject[];
  beginCreation(clockOffsetMs: number): void;
  endCreation(): void;
  /** Null if the provisioner has not run. Ends now while it is running. */
  creation(): CreationPeriod | null;
  /** Forgets all objects that were recorded as created, because another program created them. */
  disown(): void;
}
