import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  AddonCatalogDto,
  AddonOperationDto,
  CatalogEntryDto,
  ReleaseDetailsDto,
  ReleaseDto,
} from '../../backend/src/modules/addons/common/addon.dto.js';
import type { AppliedDto } from '../../backend/src/modules/resource-changes/apply/apply.dto.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import { clusterOf, createCluster, jobEnded, journalOf } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import { packChart, shopChart } from '../support/charts/own-chart.js';
import { waitFor } from '../support/wait-for.js';

const CLUSTER = '/api/v1/clusters/shop';
const ADDONS = `${CLUSTER}/addons`;
const UPLOADED = { repository: 'uploaded', chart: 'shop' };

describe('addons', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'shop');
    for (const version of ['1.0.0', '1.1.0']) {
      const headers = { 'content-type': 'application/gzip' };
      const text = await packChart(shopChart(version));
      expect((await app.client.send('POST', `${ADDONS}/charts`, { text, headers })).status).toBe(201);
    }
  });

  afterAll(() => app.stop());

  const submit = async (method: string, path: string, body?: object): Promise<number> => {
    const response = await app.client.send(method, `${ADDONS}${path}`, body ? { body } : {});
    expect([response.status, response.body]).toMatchObject([202, { dry_run: false, cluster: 'shop' }]);
    return (response.body as AddonOperationDto).job_id ?? 0;
  };
  const done = async (id: number): Promise<void> => {
    expect(await jobEnded(app.client, id)).toMatchObject({ state: 'succeeded', error: null });
  };
  const installed = async (): Promise<string[]> =>
    (await app.client.get<ReleaseDto[]>(`${ADDONS}/installed`)).map(
      ({ release, revision }) => `${release} ${revision}`,
    );
  const lastMessage = async (kind: string): Promise<[string, string]> => {
    const [entry] = await journalOf(app.client, `?kind=${kind}`);
    return [entry?.outcome ?? '', entry?.message ?? ''];
  };

  it.each<[string, object, number, string, string]>([
    [
      'invalid YAML',
      { ...UPLOADED, values: 'replicas: 1\nmood: [\n' },
      422,
      'values_refused',
      'of the values is invalid',
    ],
    [
      'values that violate the chart’s schema',
      { ...UPLOADED, values: '# many\nreplicas: many\n' },
      422,
      'values_refused',
      'replicas must be integer (line 2)',
    ],
    ['an unknown chart', { ...UPLOADED, chart: 'bakery' }, 404, 'chart_not_found', 'bakery'],
    ['an unknown version', { ...UPLOADED, version: '9.9.9' }, 404, 'chart_not_found', '9.9.9'],
    ['an unknown repository', { repository: 'none', chart: 'shop' }, 404, 'chart_not_found', 'none'],
    ['an unknown addon', { addon: 'sendmail' }, 404, 'addon_not_found', 'sendmail'],
    ['an invalid release name', { ...UPLOADED, release: '--kubeconfig' }, 400, 'invalid_input', 'release'],
    [
      'values that enable a sign-in for Kiali',
      { addon: 'kiali', values: 'auth:\n  strategy: token\n' },
      422,
      'values_refused',
      'auth.strategy',
    ],
    [
      'a password for Kiali',
      { addon: 'kiali', password: 'secret-of-kiali' },
      400,
      'invalid_input',
      'password',
    ],
  ])('rejects %s before anything changes', async (_what, body, status, code, text) => {
    const before = await installed();
    const response = await app.client.send('POST', ADDONS, { body });
    expect([response.status, response.body]).toMatchObject([status, { code }]);
    const { message, details } = response.body as ErrorResponse;
    expect(`${message} ${JSON.stringify(details)}`).toContain(text);
    expect(response.text).not.toContain('secret-of-kiali');
    expect(await installed()).toEqual(before);
    expect(await journalOf(app.client, '?kind=addon-install')).toEqual([]);
  });

  it('installs, upgrades, rolls back and uninstalls a release, with journal entries', async () => {
    const before = await installed();
    const dry = await app.client.send('POST', ADDONS, { body: { ...UPLOADED, dry_run: true } });
    expect([dry.status, dry.body]).toMatchObject([200, { job_id: null, difference: { unchanged: 0 } }]);
    expect(await installed()).toEqual(before);

    await done(await submit('POST', '', { ...UPLOADED, version: '1.0.0' }));
    expect(await installed()).toContain('shop 1');
    const available = async (): Promise<string | null> =>
      (await app.client.get<ReleaseDetailsDto>(`${ADDONS}/releases/shop`)).available_version;
    expect(await available()).toBe('1.1.0');
    expect(await lastMessage('addon-install')).toEqual(['succeeded', expect.stringContaining('shop')]);

    await done(await submit('PUT', '/releases/shop', { version: '1.1.0', values: 'replicas: 2\n' }));
    expect(await available()).toBeNull();
    const details = await app.client.get<ReleaseDetailsDto>(`${ADDONS}/releases/shop`);
    expect(details).toMatchObject({
      revision: 2,
      version: '1.1.0',
      values: 'replicas: 2\n',
      state: 'deployed',
    });
    expect(details.resources_ready).toBe(details.resources_total);
    expect(await lastMessage('addon-upgrade')).toEqual(['succeeded', expect.stringContaining('1.1.0')]);

    await done(await submit('POST', '/releases/shop/rollback', { revision: 1 }));
    expect(await app.client.get(`${ADDONS}/releases/shop`)).toMatchObject({
      revision: 3,
      version: '1.0.0',
      values: '',
    });
    expect(await lastMessage('addon-rollback')).toEqual(['succeeded', expect.stringContaining('revision 1')]);

    await done(await submit('DELETE', '/releases/shop'));
    expect(await installed()).toEqual(before);
    expect(await lastMessage('addon-uninstall')).toEqual(['succeeded', expect.stringContaining('shop')]);
    expect((await app.client.send('GET', `${ADDONS}/releases/shop`)).status).toBe(404);
  });

  it('rejects other operations with cluster_busy, and removes a cancelled installation', async () => {
    const before = await installed();
    const node = `${CLUSTER}/resources/core/v1/nodes/shop-control-plane`;
    // Without a schedulable node the job waits until it is cancelled.
    await app.client.send('POST', `${node}/cordon`);
    const id = await submit('POST', '', UPLOADED);
    for (const [method, path, body] of [
      ['POST', '', { ...UPLOADED, release: 'other' }],
      ['PUT', '/releases/metrics-server', { values: 'replicas: 2\n' }],
      ['DELETE', '/releases/metrics-server', undefined],
    ] as const) {
      const response = await app.client.send(method, `${ADDONS}${path}`, body ? { body } : {});
      expect([method, response.status, response.body]).toMatchObject([
        method,
        409,
        { code: 'cluster_busy', details: { job_id: id } },
      ]);
    }
    await app.client.until<ReleaseDto[]>(`${ADDONS}/installed`, (all) =>
      all.some(({ release }) => release === 'shop'),
    );
    await app.client.send('POST', `/api/v1/jobs/${id}/cancel`);
    expect((await jobEnded(app.client, id)).state).toBe('cancelled');
    expect(await installed()).toEqual(before);
    expect((await lastMessage('addon-install'))[0]).toBe('cancelled');
    await app.client.send('POST', `${node}/uncordon`);
  });

  it('suggests an address pool for MetalLB that can be applied', async () => {
    await done(await submit('POST', '', { addon: 'metallb' }));
    const { hints } = await app.client.get<ReleaseDetailsDto>(`${ADDONS}/releases/metallb`);
    const yaml = /\{apiVersion.*\}/.exec(hints.join('\n'))?.[0];
    expect(yaml).toMatch(/addresses: \[192\.0\.2\.200-192\.0\.2\.250\]/);
    const outcomes = async (more: object): Promise<string[]> => {
      const body = { yaml, ...more };
      const response = await app.client.send('POST', `${CLUSTER}/resources/apply`, { body });
      expect(response.status).toBe(200);
      return (response.body as AppliedDto).documents.map(({ kind, outcome }) => `${kind} ${outcome}`);
    };
    // Discovery is repeated for a missing kind, but at most once per second.
    const isServed = async (): Promise<boolean> =>
      (await outcomes({ dry_run: true })).every((outcome) => outcome.endsWith('created'));
    await waitFor(isServed, 'the CRDs of MetalLB');
    expect(await outcomes({})).toEqual(['IPAddressPool created', 'L2Advertisement created']);
    await done(await submit('DELETE', '/releases/metallb'));
  });

  it.each([
    ['GET', 'shop', 'releases/shop'],
    ['PUT', 'shop', 'releases/shop'],
    ['DELETE', 'shop', 'releases/shop'],
    ['POST', 'shop/rollback', 'releases/shop/rollback'],
    ['POST', 'shop/forward', 'releases/shop/forward'],
  ] as const)('redirects %s of the former path %s', async (method, before, after) => {
    const response = await app.client.send(method, `${ADDONS}/${before}?namespace=market`);
    expect([response.status, response.headers.location]).toEqual([
      308,
      `${ADDONS}/${after}?namespace=market`,
    ]);
  });

  it.each(['charts', 'installed', 'repositories', 'forwards', 'releases'])(
    'finds no release %s, whose name is a path segment',
    async (name) => {
      expect(await app.client.send('GET', `${ADDONS}/releases/${name}?namespace=market`)).toMatchObject({
        status: 404,
        body: { code: 'addon_not_found' },
      });
    },
  );
});

describe('POST /clusters with addons', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ environment: { APP_DEMO_FAILURES: 'install:traefik' } });
  });

  afterAll(() => app.stop());

  it('installs addons last, in the order of their dependencies', async () => {
    const job = await createCluster(app.client, 'shop', {
      addons: ['metrics-server', 'kiali', 'istiod', 'istio-base'],
    });
    // Demo clusters contain a metrics-server.
    expect(job.warnings).toEqual([]);
    expect(job.progress_steps.slice(-3).map(({ name, state }) => `${name} ${state}`)).toEqual([
      'addon-istio-base succeeded',
      'addon-istiod succeeded',
      'addon-kiali succeeded',
    ]);
    const { addons } = await app.client.get<AddonCatalogDto>(ADDONS);
    for (const addon of ['metrics-server', 'kiali']) {
      // Demo Pods serve no page to open.
      expect(addons.find(({ name }) => name === addon)).toMatchObject({ state: 'deployed', page: false });
    }
  });

  it('checks addons first and reports the position of invalid values', async () => {
    const body = {
      name: 'never',
      workers: 0,
      node_image_tag: 'v1.24.1',
      addons: [
        { addon: 'traefik' },
        { addon: 'cert-manager', values: 'crds:\n  enabled: [\n' },
        { addon: 'kiali', values: 'auth:\n  strategy: token\n' },
        { addon: 'nothing' },
      ],
    };
    const check = await app.client.send('POST', '/api/v1/clusters/check', { body });
    expect(check.body).toMatchObject({
      acceptable: false,
      problems: [
        { field: 'addons[1].values', line: 3 },
        { field: 'addons[2].values', line: 2, problem: expect.stringContaining('enables a sign-in') },
        { field: 'addons[3].addon' },
      ],
      warnings: expect.arrayContaining([
        expect.stringContaining('Traefik requires Kubernetes 1.25 or later'),
      ]) as unknown,
    });
    const rejected = await app.client.send('POST', '/api/v1/clusters', {
      body: { ...body, addons: [{ addon: 'istiod' }, { addon: 'cert-manager', values: 'replicas: two\n' }] },
    });
    expect([rejected.status, rejected.body]).toMatchObject([
      422,
      {
        code: 'values_refused',
        details: [{ field: 'addons[1].values', line: 1, problem: 'replicas must be integer' }],
      },
    ]);
    const offered = await app.client.get<CatalogEntryDto[]>('/api/v1/addons?kubernetes=v1.24.1');
    expect(offered.filter(({ unfit }) => unfit !== null).map(({ name }) => name)).toEqual([
      'traefik',
      'kube-prometheus-stack',
      'argo-cd',
    ]);
  });

  it('creates the cluster with a warning if an addon fails', async () => {
    const job = await createCluster(app.client, 'other', { addons: [{ addon: 'traefik' }, 'cert-manager'] });
    expect(job.warnings).toEqual([expect.stringContaining('Could not install Traefik')]);
    expect((await clusterOf(app.client, 'other')).state).toBe('running');
    const names = (await app.client.get<ReleaseDto[]>('/api/v1/clusters/other/addons/installed')).map(
      ({ release }) => release,
    );
    expect(names).toContain('cert-manager');
    expect(names).not.toContain('traefik');
  });
});
