import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import {
  type ClusterObjects,
  retryWhileUnavailable,
  type RuntimeDriver,
} from '../../../drivers/runtime/index.js';
import type { ObjectPurpose, UndoContext } from '../../jobs/index.js';
import { ClusterHooks } from '../inventory/index.js';
import { divide, jobObjectsOf, type Division } from './ownership.js';

/** A program that was killed may have asked the engine for a container that appears a moment later. */
const SETTLE_MS = 250;
const ATTEMPTS = 40;

/** Names of what was removed from an engine. */
export interface RemovedObjects {
  containers: string[];
  volumes: string[];
}

/** What a removal may use of its job. */
export type RemovalContext = Pick<UndoContext, 'signal' | 'log' | 'undone' | 'objects'>;

/**
 * Removes what belongs to a job from an engine, and verifies that nothing of it is left. Everything goes by id:
 * `kind delete cluster` goes by name, and would also delete a cluster of that name that was created meanwhile.
 */
@Injectable()
export class ClusterRemoval {
  constructor(private readonly hooks: ClusterHooks) {}

  /** What is there under a cluster's name, divided by whether it belongs to the job. */
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
   * Removes what the job recorded for deletion, or what it created.
   * @returns what was removed. What does not belong is left alone and reported in the job's log and message.
   * @throws Error naming what is still there after all attempts, or DomainError `runtime_unavailable`.
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
    // The cluster's kubeconfig is looked up by its name, so nothing else may have that name.
    if (division.foreign.length === 0) await this.hooks.beforeRemoval({ name, runtime: runtime.id }, log);
    for (let attempt = 1; ; attempt += 1) {
      const { own } = division;
      quiet = own.containers.length + own.volumes.length === 0 ? quiet + 1 : 0;
      if (quiet === 2) break;
      if (attempt > ATTEMPTS) throw stillThere(own, runtime, refusal);
      if (quiet === 0) {
        removed.containers.push(...own.containers);
        removed.volumes.push(...own.volumes);
        // A volume without its container can only be known by its record.
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
    if (division.foreign.length > 0) undone(`Left alone: ${division.foreign.join('; ')}.`);
    return { containers: namesOf(removed.containers), volumes: namesOf(removed.volumes) };
  }
}

function idsOf({ containers, volumes }: ClusterObjects): { containers: string[]; volumes: string[] } {
  return { containers: containers.map(({ id }) => id), volumes: volumes.map(({ name }) => name) };
}

function namesOf(objects: readonly { name: string }[]): string[] {
  return [...new Set(objects.map(({ name }) => name))].sort();
}

function stillThere(own: ClusterObjects, { id }: RuntimeDriver, refusal: string | undefined): Error {
  const names = namesOf([...own.containers, ...own.volumes]).join(', ');
  return new Error(`${names} could not be removed from ${id}${refusal === undefined ? '' : `: ${refusal}`}`);
}

/** "2 containers and 2 volumes removed, nothing is left." */
export function describeRemoval({ containers, volumes }: RemovedObjects): string {
  if (containers.length + volumes.length === 0) return 'Nothing is left of it.';
  const parts = [counted(containers.length, 'container'), counted(volumes.length, 'volume')].filter(
    (part) => part !== '',
  );
  return `${parts.join(' and ')} removed, nothing is left.`;
}

export function counted(count: number, noun: string): string {
  if (count === 0) return '';
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
