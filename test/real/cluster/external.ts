import { chmodSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AddonOperationDto } from '../../../backend/src/modules/addons/common/addon.dto.js';
import type { ClusterDto } from '../../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { ExternalClusterDetailsDto } from '../../../backend/src/modules/external-clusters/external-clusters.dto.js';
import type {
  ResourceTableDto,
  ResourceTypeDto,
} from '../../../backend/src/modules/resources/common/resource.dto.js';
import { EventSocket } from '../../support/app/event-socket.js';
import { ShellSocket } from '../../support/app/shell-socket.js';
import { ChartServer } from '../../support/charts/chart-server.js';
import { shopChart } from '../../support/charts/own-chart.js';
import { CountingProxy } from '../../support/counting-proxy.js';
import { waitFor } from '../../support/wait-for.js';
import { pathOf } from '../support/engines.js';
import { ExternalUsers, POD, TEAM } from '../support/external-users.js';
import { HELM_OF_API } from '../support/helm-programs.js';
import { Product, type ProductResponse } from '../support/product.js';
import type { RealCluster } from '../support/real-cluster.js';

const EXTERNAL = '/external-clusters';
/** The API server remembers for 10 s that a token is valid. */
const REVOKED_MS = 20_000;
const PROMPT_MS = 500;

/** The cluster as one that the user already has, in a second Slipway that knows it by kubeconfigs only. */
export function testExternal(cluster: RealCluster): void {
  const users = new ExternalUsers(cluster);
  const plugin = users.file('sign-in');
  let product: Product;
  let charts: ChartServer;
  const proxies = {} as Record<'http' | 'socks5', CountingProxy>;

  beforeAll(async () => {
    await users.prepare();
    for (const scheme of ['http', 'socks5'] as const) proxies[scheme] = await CountingProxy.start(scheme);
    charts = await ChartServer.start([shopChart('1.0.0')]);
    const [first, member] = await Promise.all([users.token('admin', 'first'), users.token('member')]);
    writeFileSync(users.file('token'), `${first}\n`);
    say(`cat ${users.file('credential.json')}`);
    credential(first);
    const { administrator: user, authority, server } = users;
    const trusted = { 'certificate-authority-data': authority };
    // A name that no resolver knows, and that the certificate does not have.
    const elsewhere = { server: server.replace('127.0.0.1', 'api.slipway.test') };
    const socks = { ...elsewhere, 'proxy-url': proxies.socks5.url };
    users.write('one', {
      shop: { user },
      plugged: { user: { exec: { apiVersion: API, command: './sign-in', interactiveMode: 'Never' } } },
      filed: { user: { tokenFile: 'token' } },
      team: { user: { token: member } },
      http: { user, cluster: { server, ...trusted, 'proxy-url': proxies.http.url } },
      socks5: { user, cluster: { ...socks, ...trusted, 'tls-server-name': 'kubernetes' } },
      misnamed: { user, cluster: { ...socks, ...trusted } },
      insecure: { user, cluster: { ...socks, 'insecure-skip-tls-verify': true } },
      gone: { user, cluster: { server: 'https://127.0.0.1:1' } },
    });
    users.write('two', { shop: { user: { token: member } } });
    product = await Product.started({
      APP_RUNTIME: 'demo',
      KUBECONFIG: `${users.file('one')}:${users.file('two')}`,
      APP_HELM: await pathOf(HELM_OF_API[cluster.engine]),
      APP_CHART_HOSTS: charts.host,
    });
  }, 120_000);

  afterAll(async () => {
    await product.discard();
    await Promise.all(Object.values(proxies).map((proxy) => proxy.stop()));
    await charts.stop();
    await users.remove();
  }, 60_000);

  const API = 'client.authentication.k8s.io/v1';

  function say(script: string): void {
    writeFileSync(plugin, `#!/bin/sh\n${script}\n`);
    chmodSync(plugin, 0o755);
  }

  function credential(token: string): void {
    const content = { apiVersion: API, kind: 'ExecCredential', status: { token } };
    writeFileSync(users.file('credential.json'), JSON.stringify(content));
  }

  async function add(request: object): Promise<ClusterDto> {
    const { status, body } = await product.call<ClusterDto>('POST', EXTERNAL, request);
    expect([status, body]).toMatchObject([201, { runtime: 'kubeconfig' }]);
    return body;
  }

  const check = async (name: string): Promise<ClusterDto> =>
    (await product.call<ClusterDto>('POST', `${EXTERNAL}/${name}/check`)).body;

  const table = async (
    name: string,
    plural = 'pods',
  ): Promise<ProductResponse<ResourceTableDto & { code?: string }>> =>
    await product.call('GET', `/clusters/${name}/resources/core/v1/${plural}?limit=1000`);

  const podsOf = async (name: string): Promise<string[]> => {
    const { status, body } = await table(name);
    expect([status, body]).toMatchObject([200, {}]);
    return body.rows.map(({ namespace, name: pod }) => `${namespace ?? ''}/${pod}`);
  };

  async function allowChanges(name: string): Promise<void> {
    const { external } = (await product.call<ClusterDto>('GET', `/clusters/${name}`)).body;
    const { status } = await product.call('PATCH', `${EXTERNAL}/${name}`, {
      changes_allowed: true,
      identity: external?.identity,
    });
    expect(status).toBe(200);
  }

  async function openShell(name: string): Promise<ShellSocket> {
    const query = new URLSearchParams({
      runtime: 'kubeconfig',
      target: 'container',
      namespace: TEAM,
      pod: POD,
    });
    const address = `${product.url.replace('http', 'ws')}/api/v1/clusters/${name}/shells?${query.toString()}`;
    return await ShellSocket.open(address);
  }

  const configMap = (name: string): { yaml: string } => ({
    yaml: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${TEAM}}\n`,
  });
  const apply = async (name: string, object = 'made'): Promise<number> =>
    (await product.call('POST', `/clusters/${name}/resources/apply`, configMap(object))).status;

  it('adds contexts of the same name in two files, with a client certificate and with a token', async () => {
    const one = await add({ context: 'shop', file: users.file('one'), name: 'by-certificate' });
    const two = await add({ context: 'shop', file: users.file('two'), name: 'by-token' });
    for (const { state, kubernetes_version: version } of [one, two]) {
      expect({ state, version }).toEqual({ state: 'running', version: expect.stringMatching(/^v?1\./) });
    }
    expect(await podsOf('by-certificate')).toEqual(
      expect.arrayContaining([`${TEAM}/${POD}`, expect.stringMatching(/^kube-system\//)]),
    );
    expect((await table('by-certificate', 'nodes')).body.rows).toHaveLength(cluster.nodes.length);
    // Another user, without rights in the default namespace.
    expect((await table('by-token')).body).toMatchObject({ code: 'resource_forbidden' });
  });

  it('shows the objects of a typed namespace to a user who may read no other', async () => {
    await add({ context: 'team' });
    const { body: changed } = await product.call<ClusterDto>('PATCH', `${EXTERNAL}/team`, {
      namespaces: [TEAM],
    });
    expect(changed.external?.namespaces).toEqual([TEAM]);
    expect(await podsOf('team')).toEqual([`${TEAM}/${POD}`]);
    const nodes = await table('team', 'nodes');
    expect([nodes.status, nodes.body.code]).toEqual([403, 'resource_forbidden']);
    const { body: types } = await product.call<ResourceTypeDto[]>(
      'GET',
      `/clusters/team/resources?namespace=${TEAM}`,
    );
    const forbidden = (plural: string): string[] | undefined =>
      types.find((type) => type.group === 'core' && type.plural === plural)?.forbidden;
    expect(forbidden('pods')).toEqual(expect.arrayContaining(['create', 'delete', 'patch']));
    for (const verb of ['get', 'list', 'watch']) expect(forbidden('pods')).not.toContain(verb);
    expect(forbidden('nodes')).toContain('list');
  });

  it('runs a plugin after consent, says why it fails, and uses its credentials', async () => {
    say('echo "Error: the session has expired" >&2; exit 3');
    expect(await add({ context: 'plugged' })).toMatchObject({ external: { needs_consent: true } });
    const { body: details } = await product.call<ExternalClusterDetailsDto>('GET', `${EXTERNAL}/plugged`);
    expect(details.plugin).toMatchObject({ path: plugin, allowed: false });
    const consented = await product.call<ClusterDto>('POST', `${EXTERNAL}/plugged/consent`, {
      fingerprint: details.plugin?.fingerprint,
    });
    expect(consented.body).toMatchObject({
      state: 'unknown',
      state_reason: expect.stringContaining('sign-in failed with exit status 3: the session has expired'),
      external: { needs_consent: false },
    });
    say('echo garbage');
    expect((await check('plugged')).state_reason).toContain('printed no usable credentials');
    say(`cat ${users.file('credential.json')}`);
    expect(await check('plugged')).toMatchObject({ state: 'running', state_reason: null });
    expect(await podsOf('plugged')).toContain(`${TEAM}/${POD}`);
  });

  it('uses a renewed token of a file or plugin when the server accepts the previous one no longer', async () => {
    expect(await add({ context: 'filed' })).toMatchObject({ state: 'running' });
    const second = await users.token('admin', 'second');
    await cluster.kubectl('delete', 'secret', 'first', `--namespace=${TEAM}`);
    const isRejected = async (): Promise<boolean> => {
      // Fewer requests than the limit for changes.
      await delay(1000);
      return (await check('filed')).state_reason?.includes('401 Unauthorized') === true;
    };
    await waitFor(isRejected, 'the end of the token', REVOKED_MS);
    writeFileSync(users.file('token'), `${second}\n`);
    credential(second);
    // The plugin runs again for the first request that is rejected. No watch serves this kind yet.
    expect((await table('plugged', 'services')).status).toBe(200);
    expect(await check('filed')).toMatchObject({ state: 'running', state_reason: null });
    expect((await table('filed', 'services')).status).toBe(200);
  });

  it('responds 503 at once for a cluster that is unreachable, and serves the others meanwhile', async () => {
    expect(await add({ context: 'gone' })).toMatchObject({
      state: 'unknown',
      state_reason: expect.stringContaining('connection refused'),
      state_since: expect.any(String),
    });
    const startedAt = performance.now();
    const [gone, others] = await Promise.all([table('gone'), podsOf('by-certificate')]);
    expect([gone.status, gone.body.code]).toEqual([503, 'cluster_unreachable']);
    expect(performance.now() - startedAt).toBeLessThan(PROMPT_MS);
    expect(others).toContain(`${TEAM}/${POD}`);
  });

  it('verifies the name of tls-server-name, and no certificate with insecure-skip-tls-verify', async () => {
    expect(await add({ context: 'socks5' })).toMatchObject({
      state: 'running',
      external: { insecure: false },
    });
    const misnamed = await add({ context: 'misnamed' });
    expect(misnamed).toMatchObject({
      state: 'unknown',
      state_reason: expect.stringContaining('certificate'),
    });
    expect(await add({ context: 'insecure' })).toMatchObject({
      state: 'running',
      external: { insecure: true },
    });
    expect(await podsOf('insecure')).toContain(`${TEAM}/${POD}`);
  });

  describe.each(['http', 'socks5'] as const)('a cluster behind a proxy (%s)', (scheme) => {
    it('shows Pods, follows a log and opens a shell through it', async () => {
      if (scheme === 'http') await add({ context: scheme });
      const proxy = proxies[scheme];
      expect(await podsOf(scheme)).toContain(`${TEAM}/${POD}`);
      // The proxy resolves the name.
      const { host } = new URL(users.server);
      expect(new Set(proxy.requested)).toEqual(
        new Set([scheme === 'http' ? host : host.replace('127.0.0.1', 'api.slipway.test')]),
      );
      const ending = new AbortController();
      const log = await fetch(
        `${product.url}/api/v1/clusters/${scheme}/pods/${TEAM}/${POD}/logs?container=main&follow=true&tail=1`,
        { signal: ending.signal, headers: { accept: 'text/plain' } },
      );
      let text = '';
      for await (const chunk of log.body ?? []) {
        text += Buffer.from(chunk as Uint8Array).toString();
        if (text.length > 'talking\n'.length * 2) break;
      }
      ending.abort();
      expect(text).toMatch(/^(talking\n){2}/);

      await allowChanges(scheme);
      const before = proxy.requested.length;
      const shell = await openShell(scheme);
      try {
        await shell.next('ready');
        shell.type('echo over""$((40 + 2))\r');
        await shell.untilText(/over42/);
        expect(proxy.requested.length).toBeGreaterThan(before);
      } finally {
        shell.close();
      }
    });
  });

  it('changes objects while changes are allowed, and closes open shells when they are turned off', async () => {
    const name = 'by-certificate';
    expect(await apply(name)).toBe(403);
    const early = await openShell(name);
    expect(await early.next('error')).toMatchObject({ code: 'changes_off' });
    await allowChanges(name);
    expect(await apply(name)).toBe(200);
    expect(await cluster.kubectl('get', 'configmap', 'made', `--namespace=${TEAM}`, '--output=name')).toBe(
      'configmap/made',
    );
    const shell = await openShell(name);
    await shell.next('ready');
    await shell.untilText(/[#$] $/);
    await product.call('PATCH', `${EXTERNAL}/${name}`, { changes_allowed: false });
    expect(await shell.next('error')).toMatchObject({ code: 'changes_off' });
    await shell.untilClosed();
    expect(await apply(name, 'late')).toBe(403);
  });

  it('installs a chart through a proxy while changes are allowed', async () => {
    const addons = '/clusters/http/addons';
    await product.call('POST', `${addons}/repositories`, { name: 'own', url: charts.url });
    const { status, body } = await product.call<AddonOperationDto>('POST', addons, {
      ...{ repository: 'own', chart: 'shop', release: 'shop', namespace: TEAM },
    });
    expect([status, body]).toMatchObject([202, { dry_run: false }]);
    expect(await product.ended(body.job_id ?? 0)).toMatchObject({ state: 'succeeded', error: null });
  });

  it('ends all connections of a cluster that is removed, and forgets its credentials', async () => {
    await add({ kubeconfig: users.text({ pasted: { user: users.administrator } }) });
    const sealed = (): string[] => {
      const database = new DatabaseSync(join(product.dataDirectory, 'slipway.db'), { readOnly: true });
      const rows = database.prepare("SELECT name FROM sealed_secrets WHERE name LIKE 'external-%'").all();
      database.close();
      return rows.map(({ name }) => String(name));
    };
    expect(sealed()).toEqual(['external-cluster/pasted']);

    const socket = await EventSocket.open(Number(new URL(product.url).port));
    try {
      for (const scheme of ['http', 'socks5']) {
        socket.send({ type: 'subscribe', topics: [`resources:kubeconfig/${scheme}/core/v1/pods`] });
      }
      await waitFor(() => socket.of('resources').length >= 2, 'two watches');
      for (const name of ['http', 'socks5', 'misnamed', 'insecure', 'pasted']) {
        const { status, body } = await product.call('DELETE', `${EXTERNAL}/${name}`);
        expect([status, body]).toEqual([200, { name, removed: true }]);
      }
      const open = (): number => proxies.http.open + proxies.socks5.open;
      await waitFor(
        () => open() === 0,
        () => `the end of ${open()} connections`,
        5000,
      );
    } finally {
      socket.close();
    }
    expect(sealed()).toEqual([]);
    const names = (await product.clusters()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['by-certificate', 'gone']));
    expect(names).not.toContain('http');
  });
}
