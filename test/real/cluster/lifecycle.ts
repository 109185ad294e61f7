import { expect, it } from '@jest/globals';
import type { ClusterDto } from '../../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { JobWithLogDto } from '../../../backend/src/modules/jobs/job.dto.js';
import type { JournalPageDto } from '../../../backend/src/modules/journal/journal.dto.js';
import { waitFor } from '../../support/wait-for.js';
import { run } from '../support/engines.js';
import type { RealCluster } from '../support/real-cluster.js';

export function proveLifecycle(cluster: RealCluster): void {
  const { engine, name, nodes } = cluster;
  const [, worker] = nodes;

  /** What the engine itself says of each node. */
  const containers = async (format: string): Promise<string[]> =>
    await Promise.all(nodes.map((node) => run(engine, ['inspect', `--format=${format}`, node])));
  /** An engine's kill returns when the signal is sent, which may be before the container ends. */
  const kill = async (...names: string[]): Promise<void> => {
    await run(engine, ['kill', ...names]);
    await run(engine, ['wait', ...names]);
  };
  /** An engine that is slow at the moment is answered for with what it said a moment ago. */
  const becomes = async (state: ClusterDto['state']): Promise<void> => {
    await waitFor(async () => (await cluster.read()).state === state, `${name} ${state}`, 5000);
  };
  const secondsOf = ({ started_at: from, finished_at: to }: JobWithLogDto): number =>
    (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000;

  // First: what happens to a node within a moment of a job's end counts as the job's.
  it('is degraded within five seconds once a node is killed behind our back, and a start repairs it', async () => {
    await run(engine, ['kill', worker]);
    await becomes('degraded');
    expect((await cluster.read()).state_reason).toContain(`${worker} is not running, exit status 137`);
    const told = async (): Promise<boolean> => {
      const path = `/journal/recent?cluster=${name}`;
      const { entries } = (await cluster.product.call<JournalPageDto>('GET', path)).body;
      return entries.some(({ kind, subject }) => kind === 'node-stopped' && subject === worker);
    };
    await waitFor(told, 'the entry of the journal', 5000);
    expect(await cluster.ask('start')).toMatchObject({
      state: 'succeeded',
      warnings: [],
      result: { started: [worker], degraded: null },
    });
    expect(await cluster.read()).toMatchObject({ state: 'running' });
  });

  it('stops: its containers end, and would stay so when the engine restarts', async () => {
    const job = await cluster.ask('stop');
    expect(job).toMatchObject({
      state: 'succeeded',
      warnings: [],
      result: { stopped: [nodes[1], nodes[0]] },
    });
    expect(await containers('{{.State.Status}}')).toEqual(['exited', 'exited']);
    if (engine === 'docker') {
      expect(await containers('{{.HostConfig.RestartPolicy.Name}}')).toEqual(['no', 'no']);
    }
    expect(await cluster.read()).toMatchObject({ state: 'stopped', stopped_unexpectedly: false });
    // The grace is half a minute: an orderly end takes a fraction of it.
    expect(secondsOf(job)).toBeLessThan(25);
  });

  it('starts: nodes that were heard of since, and a cluster that takes writes', async () => {
    const job = await cluster.ask('start');
    expect(job).toMatchObject({
      state: 'succeeded',
      warnings: [],
      result: { started: nodes, degraded: null },
    });
    expect(await containers('{{.State.Status}}')).toEqual(['running', 'running']);
    if (engine === 'docker') {
      const policy = '{{.HostConfig.RestartPolicy.Name}}:{{.HostConfig.RestartPolicy.MaximumRetryCount}}';
      expect(await containers(policy)).toEqual(['on-failure:1', 'on-failure:1']);
    }
    expect(await cluster.read()).toMatchObject({ state: 'running', state_reason: null });
    const ready = await cluster.kubectl(
      'get',
      'nodes',
      '--output=jsonpath={range .items[*]}{.status.conditions[?(@.type=="Ready")].status} {end}',
    );
    expect(ready.trim()).toBe('True True');
    await cluster.kubectl('create', 'configmap', 'written-after-the-start', '--from-literal=key=value');
    expect(secondsOf(job)).toBeLessThan(90);
  });

  it('is paused and goes on', async () => {
    expect(await cluster.ask('pause')).toMatchObject({ state: 'succeeded' });
    expect(await containers('{{.State.Status}}')).toEqual(['paused', 'paused']);
    expect(await cluster.read()).toMatchObject({ state: 'paused' });
    expect(await cluster.ask('unpause')).toMatchObject({ state: 'succeeded', warnings: [] });
    expect(await cluster.read()).toMatchObject({ state: 'running' });
    expect(await cluster.kubectl('get', 'configmap', 'written-after-the-start', '--output=name')).toBe(
      'configmap/written-after-the-start',
    );
  });

  it('that ended without the product is offered to be started', async () => {
    // As after a restart of the machine, where the engine brings nothing back.
    await kill(...nodes);
    await becomes('stopped');
    expect((await cluster.read()).stopped_unexpectedly).toBe(true);
    expect(await cluster.ask('start')).toMatchObject({ state: 'succeeded', warnings: [] });
  });
}
