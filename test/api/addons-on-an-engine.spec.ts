import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  AddonCatalogDto,
  AddonOperationDto,
} from '../../backend/src/modules/addons/common/addon.dto.js';
import type { AddonForwardDto } from '../../backend/src/modules/addons/common/operation.dto.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import { createCluster, jobEnded, journalOf, submit } from '../support/app/clusters.js';
import { getPage, openForward } from '../support/forward-page.js';
import { startApp, startAppAgain, type TestApp } from '../support/app/start-app.js';
import { ChartServer } from '../support/charts/chart-server.js';
import { packChart, shopChart } from '../support/charts/own-chart.js';
import { makeDemoCluster } from '../support/kubernetes/demo-cluster.js';
import { ScriptedMachine } from '../support/scripted-machine.js';
import { filesOf } from '../support/server/files.js';

const ADDONS = '/api/v1/clusters/c/addons';
const SHOP = { repository: 'uploaded', chart: 'shop', namespace: 'market' };
const PAGE = 'the page of the shop';

describe('addons on a container engine', () => {
  let machine: ScriptedMachine;
  let inside: Awaited<ReturnType<typeof makeDemoCluster>>;
  let charts: ChartServer;
  let page: Server;
  let app: TestApp;

  beforeAll(async () => {
    inside = await makeDemoCluster('c');
    charts = await ChartServer.start([shopChart('1.0.0')]);
    page = createServer((_request, response) => response.end(PAGE)).listen(0, '127.0.0.1');
    await once(page, 'listening');
    machine = await ScriptedMachine.start({ helm: '4.3.1' });
    const environment = {
      ...machine.environment,
      APP_RUNTIME: 'auto',
      APP_LOG_LEVEL: 'trace',
      APP_CHART_HOSTS: charts.host,
    };
    app = await startApp({ environment });
    machine.kind.behind = inside.world.apiServer('c');
    await makeCluster();
    const headers = { 'content-type': 'application/gzip' };
    const text = await packChart(shopChart('1.0.0'));
    expect((await app.client.send('POST', `${ADDONS}/charts`, { text, headers })).status).toBe(201);
  });

  afterAll(async () => {
    await app.stop();
    await machine.close();
    page.closeAllConnections();
    page.close();
    await charts.stop();
    await inside.remove();
  });

  async function makeCluster(): Promise<void> {
    await createCluster(app.client, 'c', { workers: 1 });
    const api = machine.kind.apiServers.get('docker/c');
    if (!api) throw new Error('there is no API server');
    api.podPorts.lead(8080, (page.address() as AddressInfo).port);
  }

  const succeeded = async (id: number): Promise<void> => {
    expect(await jobEnded(app.client, id)).toMatchObject({ state: 'succeeded', error: null });
  };
  const open = async (): Promise<AddonForwardDto> => {
    const { status, body } = await app.client.send('POST', `${ADDONS}/releases/shop/forward`, { body: {} });
    expect([status, body]).toMatchObject([201, { release: 'shop', service: 'shop-counter', port: 80 }]);
    return body as AddonForwardDto;
  };
  const forwards = (): Promise<AddonForwardDto[]> => app.client.get<AddonForwardDto[]>(`${ADDONS}/forwards`);
  const isClosed = async ({ local_port }: AddonForwardDto): Promise<boolean> =>
    await fetch(`http://127.0.0.1:${local_port}`).then(
      () => false,
      (error: unknown) => (error as { cause?: { code?: string } }).cause?.code === 'ECONNREFUSED',
    );

  const pageOf = async ({ url }: AddonForwardDto): Promise<string> => (await openForward(url)).text;

  it('forwards a host port to a page until it is closed or the release or cluster is gone', async () => {
    await succeeded(await submit(app.client, ADDONS, SHOP));
    const first = await open();
    const address = new URL(first.url).origin;
    expect(address).toMatch(/^http:\/\/[a-z]{12}\.localhost:\d+$/);
    expect(await pageOf(first)).toBe(PAGE);
    const again = await open();
    expect([again.id, await pageOf(again)]).toEqual([first.id, PAGE]);
    expect(await journalOf(app.client, '?kind=forward-open')).toHaveLength(2);
    expect(await forwards()).toMatchObject([{ id: first.id, url: address, problem: null }]);
    // A link admits one browser. Its key is neither listed nor stored.
    expect([again.url === first.url, (await getPage(first.url)).status]).toEqual([false, 403]);
    expect((await getPage(address)).status).toBe(403);
    const key = first.url.split('=').at(-1) ?? first.url;
    const kept = [
      app.log(),
      JSON.stringify(await journalOf(app.client)),
      ...filesOf(app.dataDirectory).values(),
    ];
    expect(kept.filter((text) => text.includes(key))).toEqual([]);
    const closed = await app.client.send('DELETE', `${ADDONS}/forwards/${first.id}`);
    expect([closed.status, closed.body, await isClosed(first)]).toEqual([200, [], true]);

    const second = await open();
    expect(await pageOf(second)).toBe(PAGE);
    const removal = await app.client.send('DELETE', `${ADDONS}/releases/shop`);
    await succeeded((removal.body as AddonOperationDto).job_id ?? 0);
    expect([await forwards(), await isClosed(second)]).toEqual([[], true]);

    await succeeded(await submit(app.client, ADDONS, SHOP));
    const third = await open();
    expect(await pageOf(third)).toBe(PAGE);
    expect((await app.client.send('DELETE', '/api/v1/clusters/c')).status).toBe(200);
    expect(await isClosed(third)).toBe(true);
    const ends = await journalOf(app.client, '?kind=forward-close');
    const port = ({ local_port }: AddonForwardDto): string =>
      `Closed the port-forward from 127.0.0.1:${local_port} to market/shop-counter:80`;
    expect(ends.map(({ message }) => message.replace(/job \d+/, 'job'))).toEqual([
      `${port(third)}: job (delete) started.`,
      `${port(second)}: job (addon-uninstall) ended.`,
      `${port(first)}.`,
    ]);
    expect(ends.map(({ actor }) => actor?.kind)).toEqual(['local', 'local', 'local']);
    await makeCluster();
  });

  it('DELETE /releases/:release runs no hooks if no_hooks is set', async () => {
    const uninstall = async (query: string): Promise<boolean | undefined> => {
      await succeeded(await submit(app.client, ADDONS, { ...SHOP, release: 'hooked' }));
      const removal = await app.client.send('DELETE', `${ADDONS}/releases/hooked${query}`);
      await succeeded((removal.body as AddonOperationDto).job_id ?? 0);
      return machine.calls.findLast(({ args }) => args[0] === 'uninstall')?.args.includes('--no-hooks');
    };
    expect([await uninstall('?no_hooks=true'), await uninstall('')]).toEqual([true, false]);
  });

  it('GET /releases/:release names CRDs that an uninstall leaves, if kept_crds is set', async () => {
    const names = { plural: 'hulls', kind: 'Hull' };
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'hulls.yard.test' },
      spec: {
        group: 'yard.test',
        scope: 'Namespaced',
        names,
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    };
    const base64 = (data: string | Buffer): string => Buffer.from(data).toString('base64');
    const record = { chart: { files: [{ name: 'crds/hull.yaml', data: base64(JSON.stringify(crd)) }] } };
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'sh.helm.release.v1.crds.v1', namespace: 'market' },
      data: { release: base64(base64(gzipSync(JSON.stringify(record)))) },
    };
    await succeeded(await submit(app.client, ADDONS, { ...SHOP, release: 'crds' }));
    const yaml = [crd, secret].map((object) => JSON.stringify(object)).join('\n---\n');
    const applied = await app.client.send('POST', '/api/v1/clusters/c/resources/apply', { body: { yaml } });
    expect(applied.status).toBe(200);
    const release = async (query: string): Promise<unknown> =>
      (await app.client.send('GET', `${ADDONS}/releases/crds${query}`)).body;
    expect(await release('?kept_crds=true')).toMatchObject({ kept_crds: ['hulls.yard.test'] });
    expect(await release('')).not.toHaveProperty('kept_crds');
  });

  it('renders a dry run without access to the cluster and its Secrets', async () => {
    const before = machine.calls.length;
    const { status } = await app.client.send('POST', ADDONS, {
      body: { ...SHOP, release: 'seen', dry_run: true },
    });
    expect(status).toBe(200);
    const [rendering, ...others] = machine.calls.slice(before).filter(({ args }) => args[0] === 'template');
    expect(others).toEqual([]);
    expect(rendering?.args).toEqual(
      expect.arrayContaining([
        '--dry-run=client',
        expect.stringMatching(/^--api-versions=.*apps\/v1\/Deployment/),
      ]),
    );
    expect(rendering?.args.join(' ')).not.toContain('--kubeconfig');
  });

  it('writes the password of a repository only to a private file for helm', async () => {
    const canary = 'Kanarienvogel/der-Karten';
    charts.credentials = { username: 'reader', password: canary };
    const repository = { name: 'locked', url: charts.url, username: 'reader' };
    const add = (password: string): Promise<{ status: number; text: string }> =>
      app.client.send('POST', `${ADDONS}/repositories`, { body: { ...repository, password } });
    const query = '/charts?repository=locked&chart=shop&version=1.0.0';
    const responses: string[] = [];
    for (const [password, status, text] of [
      [`${canary}-mistyped`, 503, 'credentials are invalid'],
      [canary, 200, '"chart":"shop"'],
    ] as const) {
      const added = await add(password);
      const chart = await app.client.send('GET', `${ADDONS}${query}`);
      expect([added.status, chart.status]).toEqual([201, status]);
      expect(chart.text).toContain(text);
      const listed = await app.client.send('GET', `${ADDONS}/repositories`);
      responses.push(added.text, chart.text, listed.text);
      if (status !== 200) {
        responses.push((await app.client.send('DELETE', `${ADDONS}/repositories/locked`)).text);
      }
    }
    const journal = await journalOf(app.client, '?kind=chart-repository');
    expect(journal[0]?.message).toBe(`Added chart repository locked (${charts.url}), user reader.`);
    expect(charts.requests.at(-1)?.authorization).toBe(
      `Basic ${Buffer.from(`reader:${canary}`).toString('base64')}`,
    );

    const places = new Map<string, string>([
      ['responses', responses.join('\n')],
      ['journal', JSON.stringify(journal)],
      ['log', app.log()],
      ['calls', JSON.stringify(machine.calls)],
      ...filesOf(app.dataDirectory),
    ]);
    const forms = [canary, encodeURIComponent(canary), Buffer.from(canary).toString('base64').slice(0, -4)];
    forms.push(Buffer.from(`reader:${canary}`).toString('base64').slice(0, -4));
    for (const [place, text] of places) {
      for (const form of forms) expect([place, text.includes(form)]).toEqual([place, false]);
    }
    expect([...places.keys()].some((place) => place.endsWith('.db'))).toBe(true);
  });

  it('rejects an installation without helm, with its download page', async () => {
    const without = await startAppAgain(app, {
      ...machine.environment,
      APP_RUNTIME: 'auto',
      APP_HELM: join(machine.folder, 'no-helm-here'),
    });
    try {
      await without.client.until<AddonCatalogDto>(
        ADDONS,
        ({ warning }) => warning === 'helm is not installed.',
      );
      const catalogue = await without.client.get<AddonCatalogDto>(ADDONS);
      expect(catalogue.addons.length).toBeGreaterThan(5);
      const { status, body } = await without.client.send('POST', ADDONS, { body: SHOP });
      expect([status, body]).toMatchObject([
        503,
        { code: 'package_manager_unavailable', message: expect.stringContaining('https://helm.sh/') },
      ]);
      expect((body as ErrorResponse).details).toMatchObject({ reason: 'helm is not installed.' });
    } finally {
      await without.stop();
    }
  });
});
