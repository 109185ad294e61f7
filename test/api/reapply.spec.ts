import { afterEach, describe, expect, it } from '@jest/globals';
import type { JournalEntry } from '../../backend/src/modules/journal/index.js';
import {
  clusterOf,
  createCluster,
  editConfig,
  jobEnded,
  journalOf,
  savedMeta,
  stepRuns,
  submit,
  withWorker,
} from '../support/app/clusters.js';
import type { ApiResponse } from '../support/app/api-client.js';
import { expectError } from '../support/app/error-response.js';
import { startApp, startAppAgain, type TestApp } from '../support/app/start-app.js';

/** The job that changed nothing. */
const LAST = expect.objectContaining({ kind: expect.any(String) as unknown }) as unknown;

describe('POST /clusters/{name}/start with a changed config', () => {
  const apps: TestApp[] = [];

  afterEach(async () => {
    for (const app of apps.splice(0)) await app.stop();
  });

  const keep = async (starting: Promise<TestApp>): Promise<TestApp> => {
    const app = await starting;
    apps.push(app);
    return app;
  };

  const start = async ({ client }: TestApp, name: string): Promise<number> =>
    await submit(client, `/api/v1/clusters/${name}/start`);

  const entriesOf = ({ client }: TestApp, cluster: string): Promise<JournalEntry[]> =>
    journalOf(client, `?cluster=${cluster}&kind=start`);

  const changedOf = (app: TestApp, name: string): unknown =>
    savedMeta(app.dataDirectory, name)['config_changed'];

  it('recreates the cluster from the saved config in a job of kind start', async () => {
    const app = await keep(startApp());
    await createCluster(app.client, 'edited', { workers: 1 });
    await editConfig(app.client, 'edited', withWorker);
    expect(await clusterOf(app.client, 'edited')).toMatchObject({ config_changed: true, workers: 1 });
    expect(await app.client.get('/api/v1/clusters/edited/recreate/check')).toMatchObject({
      acceptable: true,
      losses: { containers: ['edited-control-plane', 'edited-worker'] },
      becomes: { workers: 2 },
    });
    await jobEnded(app.client, await submit(app.client, '/api/v1/clusters/edited/stop'));

    const job = await jobEnded(app.client, await start(app, 'edited'));
    expect(job).toMatchObject({ kind: 'start', state: 'succeeded', warnings: [] });
    expect(job.progress_steps.map(({ name }) => name).slice(0, 3)).toEqual([
      'checks',
      'node-image',
      'removing-old-nodes',
    ]);
    expect(await clusterOf(app.client, 'edited')).toMatchObject({
      state: 'running',
      config_changed: false,
      workers: 2,
    });
    expect((await entriesOf(app, 'edited'))[0]?.message).toMatch(
      /^Recreated \w+ with 1 control plane and 2 workers .* after removing 2 containers and 2 volumes\.$/,
    );
    expect(
      job.progress_log.some(({ text }) => text.startsWith('Lost with the old nodes: 2 containers')),
    ).toBe(true);
    // The next start does not recreate it.
    const next = await jobEnded(app.client, await start(app, 'edited'));
    expect(next.progress_steps.map(({ name }) => name)).not.toContain('removing-old-nodes');
  });

  it('POST /clusters/{name}/config/labels sets changed labels on the running nodes', async () => {
    const app = await keep(startApp());
    const path = '/api/v1/clusters/labeled/config/labels';
    const send = (query = ''): Promise<ApiResponse> => app.client.send('POST', `${path}${query}`);
    const labelsOf = async (): Promise<string> =>
      (
        await app.client.get<{ yaml: string }>(
          '/api/v1/clusters/labeled/resources/core/v1/nodes/labeled-worker',
        )
      ).yaml;
    const check = (): Promise<unknown> => app.client.get('/api/v1/clusters/labeled/recreate/check');
    await createCluster(app.client, 'labeled', { workers: 1 });
    expectError(await send(), 409, 'cluster_state');
    await editConfig(app.client, 'labeled', (text) =>
      text.replace('- role: worker\n', '- role: worker\n    labels: {disk: ssd, tier: back}\n'),
    );
    expect(await check()).toMatchObject({
      changes: ['worker gets label disk=ssd', 'worker gets label tier=back'],
      labels_only: true,
    });

    expect((await send('?dry_run=true')).body).toMatchObject({
      nodes: ['labeled-worker'],
      before: expect.not.stringContaining('disk'),
      after: expect.stringMatching(/^labeled-worker:\n[^]* {2}disk: ssd\n/),
      dry_run: true,
    });
    expect([await labelsOf(), changedOf(app, 'labeled')]).toEqual([
      expect.not.stringContaining('disk'),
      true,
    ]);

    expect((await send()).body).toMatchObject({ message: 'Changed the labels of 1 node.', dry_run: false });
    expect(await labelsOf()).toMatch(/disk: ssd\n\s+tier: back/);
    expect(await clusterOf(app.client, 'labeled')).toMatchObject({ config_changed: false, state: 'running' });
    const saved = await app.client.send('GET', '/api/v1/clusters/labeled/config');
    expect((await app.client.send('GET', '/api/v1/clusters/labeled/config/applied')).text).toBe(saved.text);
    expect((await journalOf(app.client, '?cluster=labeled&kind=config'))[0]).toMatchObject({
      message: 'Changed the labels of 1 node to those of the saved config of labeled, which is applied now.',
      has_diff: true,
    });

    await editConfig(app.client, 'labeled', (text) => text.replace('disk: ssd, ', ''));
    expect((await send()).status).toBe(200);
    expect(await labelsOf()).not.toContain('disk');
    await editConfig(app.client, 'labeled', (text) => withWorker(text.replace('tier: back', 'tier: front')));
    expect(await check()).toMatchObject({ labels_only: false });
    expectError(await send(), 409, 'cluster_state');
  });

  it('keep_nodes=true starts the existing nodes and keeps config_changed', async () => {
    const app = await keep(startApp());
    await createCluster(app.client, 'kept', { workers: 1 });
    await editConfig(app.client, 'kept', withWorker);
    await jobEnded(app.client, await submit(app.client, '/api/v1/clusters/kept/stop'));
    const job = await jobEnded(
      app.client,
      await submit(app.client, '/api/v1/clusters/kept/start?keep_nodes=true'),
    );
    expect(job.progress_steps.map(({ name }) => name)).toEqual(['checks', 'starting-nodes', 'ready']);
    expect(await clusterOf(app.client, 'kept')).toMatchObject({
      state: 'running',
      config_changed: true,
      workers: 1,
    });
    expect((await entriesOf(app, 'kept'))[0]?.message).toBe(
      'Started 2 nodes of kept on demo. The config change is not applied yet.',
    );
    const refused = await app.client.send('POST', '/api/v1/clusters/kept/start?keep_nodes=yes', { body: {} });
    expect(refused.status).toBe(400);
  });

  it('keeps config_changed until it succeeds, and can be retried after a failure', async () => {
    const app = await keep(startApp());
    await createCluster(app.client, 'stuck');
    await editConfig(app.client, 'stuck', withWorker);
    const broken = await keep(startAppAgain(app, { APP_DEMO_FAILURES: 'create:joining-workers' }));
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect((await jobEnded(broken.client, await start(broken, 'stuck'))).state).toBe('failed');
      expect(await clusterOf(broken.client, 'stuck')).toMatchObject({ state: 'failed', nodes: [] });
      expect(changedOf(broken, 'stuck')).toBe(true);
    }
    const repaired = await keep(startAppAgain(broken));
    expect((await jobEnded(repaired.client, await start(repaired, 'stuck'))).state).toBe('succeeded');
    expect(changedOf(repaired, 'stuck')).toBe(false);
    expect(await clusterOf(repaired.client, 'stuck')).toMatchObject({ state: 'running', workers: 1 });
  });

  it('changes nothing when cancelled during the pull', async () => {
    const app = await keep(startApp({ environment: { APP_DEMO_SPEED: '20' } }));
    await createCluster(app.client, 'spared');
    await editConfig(app.client, 'spared', (text) => text.replaceAll('v1.34.4', 'v1.37.0'));
    const before = await clusterOf(app.client, 'spared');
    const id = await start(app, 'spared');
    await stepRuns(app.client, id, 'node-image');
    expect(await clusterOf(app.client, 'spared')).toMatchObject({ state: 'starting', active_job_id: id });
    const log = await app.client.get('/api/v1/clusters/spared/provision-log');
    expect(log).toMatchObject({ job_id: id, outcome: 'running' });
    await app.client.send('POST', `/api/v1/jobs/${id}/cancel`);
    expect((await jobEnded(app.client, id)).state).toBe('cancelled');
    expect(await clusterOf(app.client, 'spared')).toEqual({ ...before, last_change: LAST });
    expect(changedOf(app, 'spared')).toBe(true);
  });
});
