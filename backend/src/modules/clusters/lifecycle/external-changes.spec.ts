import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { readConfiguration } from '../../../core/config/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import type { NodeContainer, NodeEvent } from '../../../drivers/runtime/index.js';
import type { JobsService } from '../../jobs/index.js';
import type { EngineNodeEvent, NodeEvents } from '../../journal/index.js';
import type { ClusterMeta, WantedState } from '../inventory/cluster-meta.js';
import type { ClusterStore } from '../inventory/cluster.store.js';
import type { ClusterWatcher } from '../inventory/cluster-watcher.js';
import { ExternalChanges } from './external-changes.js';

type Meta = Partial<ClusterMeta>;

describe('ExternalChanges', () => {
  let meta: Meta;
  let runtime: FakeRuntime;
  let registry: FakeRegistry;
  let outside: Subject<EngineNodeEvent>;
  let touches: number;
  let busy: boolean;
  let changes: ExternalChanges;

  beforeEach(() => {
    jest.useFakeTimers();
    runtime = new FakeRuntime();
    registry = new FakeRegistry([runtime]);
    outside = new Subject();
    touches = 0;
    busy = false;
    const jobs = { activeOf: () => (busy ? {} : undefined) } as unknown as JobsService;
    const events = { outside } as unknown as NodeEvents;
    const watcher = { touch: () => (touches += 1) } as unknown as ClusterWatcher;
    const store = {
      changeMeta: (
        _key: unknown,
        change: (before: Meta) => Meta | undefined,
        confirm: () => boolean,
      ): Promise<boolean> => {
        const after = change(meta);
        if (!after || !confirm()) return Promise.resolve(false);
        meta = after;
        return Promise.resolve(true);
      },
    } as unknown as ClusterStore;
    const logger = AppLogger.create(readConfiguration({}), { write: () => undefined });
    changes = new ExternalChanges(events, watcher, registry, store, jobs, logger);
    changes.onApplicationBootstrap();
  });

  afterEach(() => {
    changes.onApplicationShutdown();
    jest.useRealTimers();
  });

  const nodes = (...states: NodeContainer['state'][]): void => {
    const names = ['c-control-plane', 'c-worker'];
    runtime.nodes = states.map((state, index) => runningNode(names[index] ?? '', { state }));
  };

  const tell = (event: Partial<NodeEvent>): void =>
    outside.next({
      runtime: 'docker',
      event: { action: 'die', container: 'c-worker', cluster: 'c', exitCode: null, time: '', ...event },
    });
  const ended = (exitCode: number): void => {
    runtime.nodes = runtime.nodes.map((node) => ({ ...node, exitCode }));
    tell({});
  };

  /** The wanted state after the delay. */
  const settled = async (): Promise<WantedState | undefined> => {
    await jest.advanceTimersByTimeAsync(2000);
    return meta.wanted;
  };

  it.each([0, 130])('sets wanted to stopped if all nodes exited with status %s', async (status) => {
    meta = { wanted: 'running' };
    nodes('exited', 'exited');
    ended(status);
    expect([await settled(), touches]).toEqual(['stopped', 1]);
  });

  it('sets wanted to running after a start', async () => {
    meta = { wanted: 'stopped' };
    nodes('running', 'exited');
    tell({ action: 'start' });
    expect([await settled(), touches]).toEqual(['running', 1]);
  });

  it('stores when a node was paused or unpaused', async () => {
    tell({ action: 'pause', time: '2026-11-26T10:00:00.000Z' });
    await jest.advanceTimersByTimeAsync(0);
    expect([meta.pause_changed_at, touches]).toEqual(['2026-11-26T10:00:00.000Z', 1]);
  });

  it('keeps wanted if the nodes were killed', async () => {
    meta = { wanted: 'running' };
    nodes('exited', 'exited');
    ended(137);
    expect([await settled(), touches]).toEqual(['running', 0]);
  });

  it('keeps wanted while a control plane is running', async () => {
    meta = { wanted: 'running' };
    nodes('running', 'exited');
    ended(130);
    expect([await settled(), touches]).toEqual(['running', 0]);
  });

  it('keeps wanted if the engine became unavailable too', async () => {
    meta = { wanted: 'running' };
    nodes('exited', 'exited');
    ended(130);
    registry.away.set('docker', 'away');
    expect(await settled()).toBe('running');
  });

  it('keeps wanted if a job is active', async () => {
    meta = { wanted: 'running' };
    nodes('exited', 'exited');
    ended(130);
    busy = true;
    expect([await settled(), touches]).toEqual(['running', 0]);
  });
});
