import { expect, it } from '@jest/globals';
import type { ClusterDto } from '../../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { JobWithLogDto } from '../../../backend/src/modules/jobs/job.dto.js';
import type { JournalPageDto } from '../../../backend/src/modules/journal/journal.dto.js';
import { waitFor } from '../../support/wait-for.js';
import { ConfigOf } from '../support/config-of.js';
import { run } from '../support/engines.js';
import type { RealCluster } from '../support/real-cluster.js';
import { isAll } from '../support/scope.js';

export function testLifecycle(cluster: RealCluster): void {
  const { engine, name, nodes } = cluster;
  const [, worker] = nodes;

  /** The engine's report of each node. */
  const containers = async (format: string): Promise<string[]> =>
    await Promise.all(nodes.map((node) => run(engine, ['inspect', `--format=${format}`, node])));
  /** `kill` returns when the signal is sent, before the container ends. */
  const kill = async (...names: string[]): Promise<void> => {
    await run(engine, ['kill', ...names]);
    await run(engine, ['wait', ...names]);
  };
  const becomes = async (state: ClusterDto['state']): Promise<void> => {
    await waitFor(async () => (await cluster.read()).state === state, `${name} ${state}`, 5000);
  };
  const secondsOf = ({ started_at: from, finished_at: to }: JobWithLogDto): number =>
    (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000;

  // First, because Slipway attributes a change of a node shortly after a job to the job.
  it('reports degraded within five seconds of a killed node, and starts the node again', async () => {
    await run(engine, ['kill', worker]);
    await becomes('degraded');
    expect((await cluster.read()).state_reason).toContain(`${worker} is not running, exit status 137`);
    const isInJournal = async (): Promise<boolean> => {
      const path = `/journal/recent?cluster=${name}`;
      const { entries } = (await cluster.product.call<JournalPageDto>('GET', path)).body;
      return entries.some(({ kind, subject }) => kind === 'node-stopped' && subject === worker);
    };
    await waitFor(isInJournal, 'the journal entry', 5000);
    expect(await cluster.change('start')).toMatchObject({
      state: 'succeeded',
      warnings: [],
      result: { started: [worker], degraded: null },
    });
    expect(await cluster.read()).toMatchObject({ state: 'running' });
  });

  it('stops all containers without a restart policy', async () => {
    const job = await cluster.change('stop');
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
    // A node that shuts down in order needs a fraction of its 30 s.
    expect(secondsOf(job)).toBeLessThan(25);
  });

  it('starts with ready nodes and an API server that accepts writes', async () => {
    const job = await cluster.change('start');
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
    await cluster.kubectl('create', 'configmap', 'after-start', '--from-literal=key=value');
    expect(secondsOf(job)).toBeLessThan(90);
  });

  it('pauses and resumes', async () => {
    const began = Date.now();
    expect(await cluster.change('pause')).toMatchObject({ state: 'succeeded' });
    expect(await containers('{{.State.Status}}')).toEqual(['paused', 'paused']);
    const paused = await cluster.read();
    expect(paused.state).toBe('paused');
    expect(Date.parse(paused.state_since ?? '')).toBeGreaterThanOrEqual(began);
    expect(await cluster.change('unpause')).toMatchObject({ state: 'succeeded', warnings: [] });
    expect(await cluster.read()).toMatchObject({ state: 'running' });
    expect(await cluster.kubectl('get', 'configmap', 'after-start', '--output=name')).toBe(
      'configmap/after-start',
    );
  });

  it('recreates the cluster with an edited config', async () => {
    const config = new ConfigOf(cluster.product, `/clusters/${name}/config`);
    const { config: text, etag } = await config.read();
    const edited = text.replace(/^( *)- role: worker\n/m, '$&$1  labels: {tier: front}\n');
    expect(await config.replace(edited, etag)).toMatchObject({ config_changed: true });
    expect(await cluster.change('recreate')).toMatchObject({ state: 'succeeded', error: null });
    expect(await cluster.read()).toMatchObject({ state: 'running', config_changed: false });
    expect(await cluster.kubectl('get', 'nodes', '--selector=tier=front', '--output=name')).toBe(
      `node/${worker}`,
    );
    expect(await cluster.kubectl('get', 'configmaps', '--output=name')).not.toContain('after-start');
  });

  if (!isAll) return;

  it('reports stopped_unexpectedly when the containers end without Slipway', async () => {
    // As after a restart of the machine: the engine starts no container.
    await kill(...nodes);
    await becomes('stopped');
    expect((await cluster.read()).stopped_unexpectedly).toBe(true);
    expect(await cluster.change('start')).toMatchObject({ state: 'succeeded', warnings: [] });
  });
}
