import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RecreationCheckDto } from '../../backend/src/modules/clusters/recreation/recreation.dto.js';
import type { JournalEntry } from '../../backend/src/modules/journal/index.js';
import { createCluster, editConfig, jobEnded, submit, withWorker } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import type { ScriptedApiServer } from '../support/engine/scripted-api-server.js';
import { ScriptedMachine } from '../support/scripted-machine.js';

describe('GET /clusters/{name}/recreate/check', () => {
  let machine: ScriptedMachine;
  let app: TestApp;

  beforeAll(async () => {
    machine = await ScriptedMachine.start();
    app = await startApp({ environment: { ...machine.environment, APP_RUNTIME: 'docker' } });
    await app.client.until('/api/v1/stats', ({ container_cli: cli }) => cli === 'docker');
    await createCluster(app.client, 'shop');
  });

  afterAll(async () => {
    await app.stop();
    await machine.close();
  });

  const lossesOf = async (): Promise<RecreationCheckDto['losses']> =>
    (await app.client.get<RecreationCheckDto>('/api/v1/clusters/shop/recreate/check')).losses;
  const api = (): ScriptedApiServer => {
    const found = machine.kind.apiServers.get('docker/shop');
    if (!found) throw new Error('shop has no API server');
    return found;
  };

  it('returns the number of pods and volume claims that are lost', async () => {
    api().pods = ['web-0', 'web-1', 'queue'];
    api().volumeClaims = ['data-web-0'];
    const { summary, ...counts } = await lossesOf();
    expect(counts).toMatchObject({ containers: ['shop-control-plane'], pods: 3, volume_claims: 1 });
    expect(summary).toMatch(
      /^Lost with the old nodes: 1 container.*, 3 Pods and 1 volume claim, and all data in them\.$/,
    );
  });

  it('returns 0 pods and volume claims without workloads', async () => {
    api().pods = [];
    api().volumeClaims = [];
    const { pods, volume_claims, summary } = await lossesOf();
    expect([pods, volume_claims]).toEqual([0, 0]);
    expect(summary).toContain('The cluster runs no Pods except its system Pods.');
  });

  it('returns null if the cluster does not respond or is not running', async () => {
    const uncounted = { pods: null, volume_claims: null, summary: expect.stringContaining('all workloads') };
    api().silent = true;
    expect(await lossesOf()).toMatchObject(uncounted);
    api().silent = false;
    await jobEnded(app.client, await submit(app.client, '/api/v1/clusters/shop/stop'));
    expect(await lossesOf()).toMatchObject(uncounted);
    await jobEnded(app.client, await submit(app.client, '/api/v1/clusters/shop/start'));
  });

  it.each(['recreate', 'start'])('counts the same as the journal entry of %s', async (action) => {
    api().pods = ['web-0', 'web-1'];
    if (action === 'start') await editConfig(app.client, 'shop', withWorker);
    machine.kind.freezeAt('installing-cni');
    const id = await submit(app.client, `/api/v1/clusters/shop/${action}`);
    const { entries } = await app.client.get<{ entries: JournalEntry[] }>('/api/v1/journal/recent');
    expect(entries.find(({ job_id }) => job_id === id)?.message).toContain('2 Pods, and all data in them.');
    machine.kind.thaw();
    expect((await jobEnded(app.client, id)).state).toBe('succeeded');
  });
});
