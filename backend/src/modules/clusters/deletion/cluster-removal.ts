import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import {
  type ClusterObjects,
  retryWhileUnavailable,
  type RuntimeDriver,
} from '../../../drivers/runtime/index.js';
import type { ObjectPurpose, UndoContext } from '../../jobs/index.js';
import { ClusterHooks } from '../inventory/cluster-hooks.js';
import { countedParts } from '../inventory/counted-parts.js';
import type { ObjectNamesDto } from '../inventory/cluster.dto.js';
import { divide, jobObjectsOf, type Division } from './ownership.js';

/** A container requested by a killed program can appear a moment later. */
const SETTLE_MS = 250;
const ATTEMPTS = 40;

export type RemovedObjects = Pick<ObjectNamesDto, 'containers' | 'volumes'>;

export type RemovalContext = Pick<UndoContext, 'signal' | 'log' | 'undone' | 'objects'>;

/**
 * Removes the objects of a job from an engine, and verifies that none are left. Uses ids: `kind delete cluster` uses the
 * name, and would also delete another cluster with that name that was created in the meantime.
 */
@Injectable()
export class ClusterRemoval {
  constructor(private readonly hooks: ClusterHooks) {}

  /** The objects with the cluster name, divided by whether they belong to the job. */
  async find(
    name: string,
    runtime: RuntimeDriver,
    purpose: ObjectPurpose,
    { signal, objects }: Pick<UndoContext, 'signal' | 'objects'>,
  ): Promise<Division> {
    const volumes = objects.recorded(purpose).filter(({ type }) => type === 'volume');
    const found = await retryWhileUnavailable(
      () =>
        runtime.objectsOf(
          name,
          volumes.map(({ id }) => id),
        ),
      signal,
    );
    return divide(found, purpose, objects);
  }

  /**
   * Removes the objects that the job recorded for deletion or created. Reports other objects with the cluster name in
   * the log and message of the job.
   * @throws Error naming the objects left after all attempts, or DomainError `runtime_unavailable`.
   */
  async remove(
    name: string,
    runtime: RuntimeDriver,
    purpose: ObjectPurpose,
    context: RemovalContext,
  ): Promise<RemovedObjects> {
    const { signal, log, undone, objects } = context;
    const removed: ClusterObjects = { containers: [], volumes: [] };
    let refusal: string | undefined;
    let quiet = 0;
    let division = await this.find(name, runtime, purpose, context);
    // Hooks find the kubeconfig by cluster name, which must not belong to another cluster.
    if (division.foreign.length === 0) await this.hooks.beforeRemoval({ name, runtime: runtime.id }, log);
    for (let attempt = 1; ; attempt += 1) {
      const { own } = division;
      quiet = own.containers.length + own.volumes.length === 0 ? quiet + 1 : 0;
      if (quiet === 2) break;
      if (attempt > ATTEMPTS) throw notRemoved(own, runtime, refusal);
      if (quiet === 0) {
        removed.containers.push(...own.containers);
        removed.volumes.push(...own.volumes);
        // After the removal of its container, only the record identifies a volume.
        objects.record(purpose, jobObjectsOf(own));
        try {
          await retryWhileUnavailable(() => runtime.removeObjects(idsOf(own), signal), signal);
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof DomainError) throw error;
          refusal = reasonOf(error);
        }
      }
      await delay(SETTLE_MS, undefined, { signal });
      division = await this.find(name, runtime, purpose, context);
    }
    if (division.foreign.length > 0) undone(`Not removed: ${division.foreign.join('; ')}.`);
    return { containers: namesOf(removed.containers), volumes: namesOf(removed.volumes) };
  }
}

function idsOf({ containers, volumes }: ClusterObjects): RemovedObjects {
  return { containers: containers.map(({ id }) => id), volumes: volumes.map(({ name }) => name) };
}

function namesOf(objects: readonly { name: string }[]): string[] {
  return [...new Set(objects.map(({ name }) => name))].sort();
}

function notRemoved(own: ClusterObjects, { id }: RuntimeDriver, refusal: string | undefined): Error {
  const names = namesOf([...own.containers, ...own.volumes]).join(', ');
  return new Error(`${names} could not be removed from ${id}${refusal === undefined ? '' : `: ${refusal}`}`);
}

/** `Removed 2 containers and 2 volumes.` */
export function describeRemoval({ containers, volumes }: RemovedObjects): string {
  const objects = countedParts([containers.length, 'container'], [volumes.length, 'volume']);
  return objects === '' ? 'Nothing was left to remove.' : `Removed ${objects}.`;
}
