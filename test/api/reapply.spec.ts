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
