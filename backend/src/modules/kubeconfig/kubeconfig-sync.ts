import { Injectable, type OnModuleInit } from '@nestjs/common';
import { reasonOf } from '../../core/errors/index.js';
import type { ClusterKubeconfig } from '../../drivers/kubernetes/index.js';
import type { UndoContext } from '../jobs/index.js';
import { ClusterHooks, type ClusterHook, type ClusterKey } from '../clusters/index.js';
import { UserKubeconfig } from './user-kubeconfig.js';

/**
 * Keeps the user's own kubeconfig true to what jobs make of clusters. No job fails over it: a cluster that is gone
 * is gone, whatever a file of somebody's says, and so the job warns.
 */
@Injectable()
export class KubeconfigSync implements ClusterHook, OnModuleInit {
  constructor(
    private readonly user: UserKubeconfig,
    private readonly hooks: ClusterHooks,
  ) {}

  onModuleInit(): void {
    this.hooks.register(this);
  }

  /** Before the first container goes: then only the cluster itself can tell which entry is its own. */
  async beforeRemoval(key: ClusterKey, log: (text: string) => void): Promise<void> {
    try {
      await this.user.remember(key);
    } catch (error) {
      log(`Whether your own kubeconfig has ${key.name} could not be found out: ${reasonOf(error)}`);
    }
  }

  async afterRemoval(key: ClusterKey, { log, warn }: Pick<UndoContext, 'log' | 'warn'>): Promise<void> {
    try {
      const place = await this.user.take(key);
      if (place) log(`${place.context} was taken out of ${place.file}`);
    } catch (error) {
      // A later cluster of this name must not be put where this one was.
      this.user.forget(key);
      warn(`It is still in your own kubeconfig: ${reasonOf(error)}`);
    }
  }

  async afterCreation(
    key: ClusterKey,
    kubeconfig: ClusterKubeconfig,
    { log, warn }: Pick<UndoContext, 'log' | 'warn'>,
  ): Promise<void> {
    try {
      const place = await this.user.renew(key, kubeconfig);
      if (place) log(`${place.context} in ${place.file} has its new address and credentials`);
    } catch (error) {
      warn(`Your own kubeconfig still has what was before: ${reasonOf(error)}`);
    }
  }
}
