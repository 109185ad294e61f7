import { Injectable } from '@nestjs/common';
import type { ClusterKubeconfig } from '../../../drivers/kubernetes/index.js';
import type { UndoContext } from '../../jobs/index.js';
import type { ClusterKey } from './cluster.store.js';

type HookContext = Pick<UndoContext, 'log' | 'warn'>;

/** Callbacks of another module for jobs that create or remove a cluster. A hook must not throw. */
export interface ClusterHook {
  afterCreation: (key: ClusterKey, kubeconfig: ClusterKubeconfig, context: HookContext) => Promise<void>;
  /** Called while the nodes still exist. */
  beforeRemoval: (key: ClusterKey, log: (text: string) => void) => Promise<void>;
  afterRemoval: (key: ClusterKey, context: HookContext) => Promise<void>;
}

/** Lets modules that depend on this one take part in its jobs. The kubeconfig module registers its sync here. */
@Injectable()
export class ClusterHooks {
  private readonly hooks: Partial<ClusterHook>[] = [];

  register(hook: Partial<ClusterHook>): void {
    this.hooks.push(hook);
  }

  async afterCreation(...args: Parameters<ClusterHook['afterCreation']>): Promise<void> {
    for (const hook of this.hooks) await hook.afterCreation?.(...args);
  }

  async beforeRemoval(...args: Parameters<ClusterHook['beforeRemoval']>): Promise<void> {
    for (const hook of this.hooks) await hook.beforeRemoval?.(...args);
  }

  async afterRemoval(...args: Parameters<ClusterHook['afterRemoval']>): Promise<void> {
    for (const hook of this.hooks) await hook.afterRemoval?.(...args);
  }
}
