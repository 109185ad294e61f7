import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import { readConfiguration } from '../../../core/config/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import type { JobsService } from '../../jobs/index.js';
import type { ClusterDto as Cluster } from '../inventory/cluster.dto.js';
import type { ClusterMeta } from '../inventory/cluster-meta.js';
import type { ClustersService } from '../inventory/clusters.service.js';
import type { ClusterStore } from '../inventory/cluster.store.js';
import type { ClusterWatcher } from '../inventory/cluster-watcher.js';
import type { StartVerification } from './start-verification.js';
import { StateReview } from './state-review.js';

const HOUR = '2026-11-21T10:00:00.000Z';

describe('StateReview', () => {
  let reads: Subject<readonly Cluster[]>;
  let meta: Partial<ClusterMeta>;
  let wrong: () => Promise<string | null>;
  let inspections: number;
  let touches: number;
  let busy: boolean;
  let review: StateReview;

  beforeEach(() => {
    jest.useFakeTimers({ now: Date.parse(HOUR) });
    reads = new Subject();
    meta = { degraded_reason: 'c-worker is not ready', degraded_since: HOUR };
    wrong = () => Promise.resolve(null);
    inspections = 0;
    touches = 0;
    busy = false;
    const verification = {
      inspect: () => {
        inspections += 1;
        return wrong();
      },
    } as unknown as StartVerification;
    const store = {
      changeMeta: (
        _key: unknown,
        change: (before: Partial<ClusterMeta>) => Partial<ClusterMeta> | undefined,
        confirm: () => boolean,
      ) => {
        const after = change(meta);
        if (!after || !confirm()) return Promise.resolve(false);
        meta = after;
        return Promise.resolve(true);
      },
    } as unknown as ClusterStore;
    review = new StateReview(
      { reads } as unknown as ClustersService,
      verification,
      store,
      { activeOf: () => (busy ? {} : undefined) } as unknown as JobsService,
      { touch: () => (touches += 1) } as unknown as ClusterWatcher,
      AppLogger.create(readConfiguration({}), { write: () => undefined }),
    );
    review.onApplicationBootstrap();
  });

  afterEach(() => {
    review.onApplicationShutdown();
    jest.useRealTimers();
  });

  const read = async (more: Partial<Cluster> = {}): Promise<void> => {
    const nodes = [{ name: 'c-worker', role: 'worker', state: 'running', address: null, image: '' }] as const;
    const cluster = {
      name: 'c',
      runtime: 'docker',
      state: 'degraded',
      active_job_id: null,
      nodes: [...nodes],
    };
    reads.next([{ ...cluster, ...more } as Cluster]);
    await jest.advanceTimersByTimeAsync(0);
  };

  it('clears a resolved problem, and notifies clients', async () => {
    await read();
    expect([meta, inspections, touches]).toEqual([{ degraded_reason: null, degraded_since: null }, 1, 1]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([inspections, touches]).toEqual([1, 1]);
  });

  it('updates the problem, and keeps the time since which one exists', async () => {
    wrong = () => Promise.resolve('c-worker2 is not ready');
    await jest.advanceTimersByTimeAsync(5000);
    await read();
    expect(meta).toEqual({ degraded_reason: 'c-worker2 is not ready', degraded_since: HOUR });
  });

  it('reviews a cluster once per interval, as long as clients list clusters', async () => {
    wrong = () => Promise.resolve('c-worker is not ready');
    for (let index = 0; index < 20; index += 1) await read();
    expect([inspections, touches]).toEqual([1, 0]);
    await jest.advanceTimersByTimeAsync(3000);
    expect([inspections, touches]).toEqual([1, 1]);
    await read();
    expect(inspections).toBe(2);
  });

  it('stops reviewing if clients stop listing clusters', async () => {
    wrong = () => Promise.resolve('c-worker is not ready');
    await read();
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect([inspections, touches]).toEqual([1, 1]);
  });

  it('skips clusters with stopped nodes or an active job, and keeps the problem if the review fails', async () => {
    const ended = { name: 'c-worker', role: 'worker', state: 'exited', address: null, image: '' } as const;
    await read({ nodes: [ended] });
    await read({ active_job_id: 4 });
    await read({ state: 'running' });
    expect(inspections).toBe(0);
    wrong = () => Promise.reject(new Error('no kubeconfig'));
    await read();
    expect([inspections, meta.degraded_reason]).toEqual([1, 'c-worker is not ready']);
  });

  it('changes nothing if a job started during the review', async () => {
    wrong = () => {
      busy = true;
      return Promise.resolve(null);
    };
    await read();
    expect(meta.degraded_reason).toBe('c-worker is not ready');
  });
});
