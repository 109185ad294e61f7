import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type {
  AddonOperationDto,
  ReleaseDetailsDto,
} from '../../backend/src/modules/addons/common/addon.dto.js';
import type { JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import { jobEnded, journalOf } from '../support/app/clusters.js';
import { HOPELESS } from '../support/charts/own-chart.js';
import { ADDONS, inMarket, type Market } from '../support/server/market.js';
import { isAlive } from '../support/server/processes.js';
import type { ScriptedServer } from '../support/server/scripted-server.js';
import { waitFor } from '../support/wait-for.js';

const SHOP = { repository: 'uploaded', chart: 'shop', namespace: 'market' };

async function submit(
  { client }: ScriptedServer,
  method: string,
  path: string,
  body?: object,
): Promise<number> {
  const response = await client.send(method, `${ADDONS}${path}`, body ? { body } : {});
  expect([response.status, response.body]).toMatchObject([202, { dry_run: false, cluster: 'c' }]);
  return (response.body as AddonOperationDto).job_id ?? 0;
}

async function installed(server: ScriptedServer): Promise<void> {
  const id = await submit(server, 'POST', '', { ...SHOP, version: '1.0.0' });
  expect(await jobEnded(server.client, id)).toMatchObject({ state: 'succeeded', error: null });
}

function release({ client }: ScriptedServer): Promise<ReleaseDetailsDto> {
  return client.get<ReleaseDetailsDto>(`${ADDONS}/releases/shop`);
}

async function lastMessage({ client }: ScriptedServer, kind: string): Promise<[string, string]> {
  const [entry] = await journalOf(client, `?cluster=c&kind=${kind}`);
  return [entry?.outcome ?? '', entry?.message ?? ''];
}

/** Expects that no processes and no private files are left, because values and kubeconfigs are secrets. */
async function expectNothingLeft({ server, helm }: Market): Promise<void> {
  for (const { call, grandchild } of helm.operations) {
    await waitFor(() => !isAlive(call.pid) && !isAlive(grandchild ?? 0), 'the end of all processes');
  }
  for (const folder of ['calls', 'operations']) {
    expect([folder, readdirSync(join(server.dataDirectory, 'helm', folder))]).toEqual([folder, []]);
  }
}

function texts({ progress_log }: JobWithLogDto): string {
  return progress_log.map(({ text }) => text).join('\n');
}

describe('addons after SIGKILL of the server', () => {
  it('rolls back an upgrade even if helm ignores SIGTERM', async () => {
    await inMarket('4.3.1', async (market) => {
      const { server, helm } = market;
      await installed(server);
      Object.assign(helm, { hangsAt: 'upgrade', stubborn: true });
      const id = await submit(server, 'PUT', '/releases/shop', {
        version: '1.1.0',
        values: 'password: canary\n',
      });
      await waitFor(() => helm.operations.at(-1)?.grandchild !== undefined, 'a running helm');
      expect(helm.statesOf('market', 'shop')).toEqual(['deployed', 'pending-upgrade']);

      await server.process.kill();
      await server.startAgain();
      const job = await jobEnded(server.client, id);
      expect(job).toMatchObject({ state: 'interrupted', error: null });
      const rolledBack = 'Rolled back shop to revision 1 (shop 1.0.0).';
      expect(texts(job)).toContain(rolledBack);
      expect(await lastMessage(server, 'addon-upgrade')).toEqual([
        'interrupted',
        `Interrupted by a restart of Slipway at Upgrading shop. ${rolledBack}`,
      ]);
      expect(helm.statesOf('market', 'shop')).toEqual(['superseded', 'pending-upgrade', 'deployed']);
      expect(await release(server)).toMatchObject({
        state: 'deployed',
        revision: 3,
        version: '1.0.0',
        values: '',
        resources_ready: 4,
        resources_total: 4,
      });
      await expectNothingLeft(market);
    });
  });

  it('removes an interrupted installation and frees its name', async () => {
    await inMarket('4.3.1', async (market) => {
      const { server, helm } = market;
      const id = await submit(server, 'POST', '', { ...SHOP, values: HOPELESS });
      await waitFor(() => helm.statesOf('market', 'shop')[0] === 'pending-install', 'a running helm');
      await server.process.kill();
      await server.startAgain();
      expect(await jobEnded(server.client, id)).toMatchObject({ state: 'interrupted', error: null });
      expect(await lastMessage(server, 'addon-install')).toEqual([
        'interrupted',
        'Interrupted by a restart of Slipway at Installing shop. Uninstalled shop.',
      ]);
      expect(helm.statesOf('market', 'shop')).toEqual([]);
      expect((await server.client.send('GET', `${ADDONS}/releases/shop`)).status).toBe(404);
      await expectNothingLeft(market);
      await installed(server);
    });
  });

  it('repairs the release before the next operation if the cluster is down at the restart', async () => {
    await inMarket('4.3.1', async ({ server, helm, api }) => {
      await installed(server);
      helm.hangsAt = 'upgrade';
      const id = await submit(server, 'PUT', '/releases/shop', { values: HOPELESS });
      await waitFor(() => helm.statesOf('market', 'shop').includes('pending-upgrade'), 'a running helm');
      await server.process.kill();
      helm.hangsAt = undefined;
      await api.goAway();
      await server.startAgain();
      expect(await jobEnded(server.client, id)).toMatchObject({ state: 'interrupted' });
      const [outcome, message] = await lastMessage(server, 'addon-upgrade');
      expect(outcome).toBe('interrupted');
      expect(message).toContain('Could not repair shop. The next operation on it repairs it first.');
      expect(message).toContain('The API server of c does not respond');

      await api.comeBack();
      await server.client.until<ReleaseDetailsDto[]>(
        `${ADDONS}/installed`,
        ([one]) => one?.state === 'pending_repair',
      );
      const next = await jobEnded(
        server.client,
        await submit(server, 'PUT', '/releases/shop', { version: '1.1.0', values: '' }),
      );
      expect(next).toMatchObject({ state: 'succeeded', error: null });
      expect(texts(next)).toContain(
        'The previous operation did not finish. Rolled back shop to revision 1 (shop 1.0.0).',
      );
      expect(await release(server)).toMatchObject({ state: 'deployed', revision: 4, version: '1.1.0' });
    });
  });
});

describe('a failing helm', () => {
  it('removes a failed installation, rolls back a failed upgrade, and keeps it with keep_on_failure', async () => {
    await inMarket('3.22.0', async (market) => {
      const { server, helm } = market;
      const refusal = 'failed to create resource: admission webhook "till.example" denied the request';
      helm.failure = { command: 'install', message: refusal };
      const first = await jobEnded(server.client, await submit(server, 'POST', '', SHOP));
      expect(first).toMatchObject({ state: 'failed', error: { message: expect.stringContaining(refusal) } });
      const [outcome, message] = await lastMessage(server, 'addon-install');
      expect([outcome, message]).toEqual(['failed', expect.stringContaining(refusal)]);
      expect(message).toMatch(/^Failed at Installing shop: .* Uninstalled shop\.$/);
      expect(helm.statesOf('market', 'shop')).toEqual([]);

      helm.failure = undefined;
      await installed(server);
      helm.failure = { command: 'upgrade', message: refusal };
      const upgrade = { version: '1.1.0', values: 'replicas: 2\n' };
      const second = await jobEnded(server.client, await submit(server, 'PUT', '/releases/shop', upgrade));
      expect(second).toMatchObject({ state: 'failed', error: { message: expect.stringContaining(refusal) } });
      expect((await lastMessage(server, 'addon-upgrade'))[1]).toContain(
        'Rolled back shop to revision 1 (shop 1.0.0).',
      );
      expect(await release(server)).toMatchObject({ state: 'deployed', revision: 3, version: '1.0.0' });

      const kept = await submit(server, 'PUT', '/releases/shop', { ...upgrade, keep_on_failure: true });
      expect(await jobEnded(server.client, kept)).toMatchObject({ state: 'failed' });
      expect((await lastMessage(server, 'addon-upgrade'))[1]).toMatch(/The failed release was kept\.$/);
      expect(await release(server)).toMatchObject({ state: 'failed', revision: 4, version: '1.1.0' });
      await expectNothingLeft(market);
    });
  });
});
