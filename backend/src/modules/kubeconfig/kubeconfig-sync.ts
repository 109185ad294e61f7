import { Injectable, type OnModuleInit } from '@nestjs/common';
import { reasonOf } from '../../core/errors/index.js';
import { EXTERNAL_RUNTIME } from '../../core/security/index.js';
import type { ClusterKubeconfig } from '../../drivers/kubernetes/index.js';
import type { UndoContext } from '../jobs/index.js';
import { ClusterHooks, type ClusterHook, type ClusterKey } from '../clusters/index.js';
import { UserKubeconfig } from './user-kubeconfig.js';

/** Updates the user's kubeconfig when jobs create or remove clusters. Errors become warnings of the job. */
@Injectable()
export class KubeconfigSync implements ClusterHook, OnModuleInit {
  constructor(
    private readonly user: UserKubeconfig,
    private readonly hooks: ClusterHooks,
  ) {}

  onModuleInit(): void {
    this.hooks.register(this);
  }

  /** Only while the cluster exists can Slipway find out which entry is its own. */
  async beforeRemoval(key: ClusterKey, log: (text: string) => void): Promise<void> {
    try {
      await this.user.recordEntry(key);
    } catch (error) {
      log(`Could not check whether your kubeconfig has an entry for ${key.name}: ${reasonOf(error)}`);
    }
  }

  async afterRemoval(key: ClusterKey, { log, warn }: Pick<UndoContext, 'log' | 'warn'>): Promise<void> {
    // Its entry is the user's own.
    if (key.runtime === EXTERNAL_RUNTIME) return;
    try {
      const place = await this.user.remove(key);
      if (place) log(`Removed ${place.context} from ${place.file}`);
    } catch (error) {
      // A later cluster of this name must not take over the entry.
      this.user.forget(key);
      warn(`Could not remove the cluster from your kubeconfig: ${reasonOf(error)}`);
    }
  }

  async afterCreation(
    key: ClusterKey,
    kubeconfig: ClusterKubeconfig,
    { log, warn }: Pick<UndoContext, 'log' | 'warn'>,
  ): Promise<void> {
    try {
      const place = await this.user.update(key, kubeconfig);
      if (place) log(`Updated ${place.context} in ${place.file}`);
    } catch (error) {
      warn(`Could not update your kubeconfig: ${reasonOf(error)}`);
    }
  }
}
