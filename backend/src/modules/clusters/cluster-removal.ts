import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError, reasonOf } from '../../core/errors/index.js';
import type { ProcessTracking } from '../../drivers/process/index.js';
import { ProvisionerSelector } from '../../drivers/provisioner/index.js';
import type { ClusterRemains, RuntimeDriver } from '../../drivers/runtime/index.js';
import { ClusterStore } from './cluster.store.js';
import { KubeconfigUpkeep } from './kubeconfig/kubeconfig-upkeep.js';
import { patiently } from './patiently.js';

/** A program that was killed may have asked the engine for a container that appears a moment later. */
const SETTLE_MS = 250;
const ATTEMPTS = 40;

export interface RemovalOptions {
  tracking: ProcessTracking;
  log: (text: string) => void;
  /** The kubeconfig that kind may edit: the cluster's own where none is named. */
  kubeconfigFile?: string;
}

/** Removes a cluster from its engine, and proves by label that nothing of it is left. */
@Injectable()
export class ClusterRemoval {
  constructor(
    private readonly provisioners: ProvisionerSelector,
    private readonly store: ClusterStore,
    private readonly upkeep: KubeconfigUpkeep,
  ) {}

  /**
   * @returns what was removed.
   * @throws Error naming what is still there after all attempts, or DomainError `runtime_unavailable`.
   */
  async remove(
    name: string,
    runtime: RuntimeDriver,
    { tracking, log, kubeconfigFile }: RemovalOptions,
  ): Promise<ClusterRemains> {
    const { signal } = tracking;
    await this.upkeep.beforeRemoval({ name, runtime: runtime.id }, log);
    const found = await patiently(() => runtime.remainsOf(name), signal);
    const containers = new Set(found.containers);
    const volumes = new Set(found.volumes);
    if (containers.size > 0) {
      try {
        const kubeconfig = kubeconfigFile ?? (await this.store.kubeconfigFile({ name, runtime: runtime.id }));
        await this.provisioners.for(runtime).delete(name, kubeconfig, runtime, tracking);
      } catch (error) {
        signal?.throwIfAborted();
        // kind may be missing or stumble over a half-made node; the engine itself can do it.
        log(`${reasonOf(error)}. Removing the containers directly.`);
      }
    }
    let quiet = 0;
    let refusal: string | undefined;
    for (let attempt = 0; attempt < ATTEMPTS && quiet < 2; attempt += 1) {
      signal?.throwIfAborted();
      if (attempt > 0) await delay(SETTLE_MS);
      const rest = await patiently(() => runtime.remainsOf(name, [...volumes]), signal);
      if (rest.containers.length + rest.volumes.length === 0) {
        quiet += 1;
        continue;
      }
      quiet = 0;
      for (const container of rest.containers) containers.add(container);
      for (const volume of rest.volumes) volumes.add(volume);
      try {
        await patiently(() => runtime.removeRemains(name, [...volumes]), signal);
      } catch (error) {
        if (error instanceof DomainError) throw error;
        refusal = reasonOf(error);
      }
    }
    if (quiet < 2) {
      const rest = await runtime.remainsOf(name, [...volumes]);
      throw new Error(
        `${[...rest.containers, ...rest.volumes].join(', ')} could not be removed from ${runtime.id}${refusal === undefined ? '' : `: ${refusal}`}`,
      );
    }
    return { containers: [...containers].sort(), volumes: [...volumes].sort() };
  }
}

/** "2 containers and 2 volumes removed, nothing is left." */
export function describeRemoval({ containers, volumes }: ClusterRemains): string {
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
