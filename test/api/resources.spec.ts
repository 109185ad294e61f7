import { describe, expect, it } from '@jest/globals';
import type { ResourceObjectDto } from '../../backend/src/modules/resources/common/object.dto.js';
import type { ResourceTableDto } from '../../backend/src/modules/resources/common/resource.dto.js';
import type { DiagnosisDto } from '../../backend/src/modules/diagnosis/diagnosis.dto.js';
import type { SearchResponseDto } from '../../backend/src/modules/search/search.dto.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import { jobEnded, submit } from '../support/app/clusters.js';
import { ShopBench } from '../support/app/shop-bench.js';
import { waitFor } from '../support/wait-for.js';

describe('/clusters/:name/resources', () => {
  const shop = new ShopBench();
  const { of, table, put, configMap, subscribe } = shop;

  describe('GET :group/:version/:plural', () => {
    it('returns pages, each row once, with the total', async () => {
      const names: string[] = [];
      let next: string | null = '';
      while (next !== null) {
        const page: ResourceTableDto = await table(
          `core/v1/configmaps?namespace=default&limit=3${next && `&continue=${encodeURIComponent(next)}`}`,
        );
        expect(page.rows.length).toBeLessThanOrEqual(3);
        names.push(...page.rows.map(({ name }) => name));
        next = page.continue;
        expect(page.total).toBeGreaterThanOrEqual(names.length);
        if (next === null) expect(page.total).toBe(names.length);
      }
      expect(names).toEqual([...new Set(names)].sort());
      expect(names).toEqual(expect.arrayContaining(['paged-0', 'paged-6']));
    });

    it('filters by label_selector and field_selector', async () => {
      const labelled = await table('core/v1/configmaps?label_selector=made%3Dhere');
      expect(labelled.rows).toHaveLength(7);
      expect(labelled.rows[0]).toMatchObject({
        labels: { made: 'here' },
        health: 'none',
        cpu_millicores: null,
      });
      expect((await table('core/v1/configmaps?field_selector=metadata.name%3Dpaged-3')).rows).toHaveLength(1);
    });

    it.each([
      'limit=0',
      'limit=1001',
      'limit=1e2',
      'continue=',
      'continue=server.1.%2F..%2F..',
      'continue=%00',
      'namespace=..%2Fkube-system',
      'namespace=a&namespace=b',
      'namespace=a,,b',
      `namespace=${Array(21).fill('a').join()}`,
      'label_selector=a%3Db%0d%0aX%3A1',
      'field_selector=%26watch%3Dtrue',
      'search=a&search=b',
      'watch=true',
    ])('rejects ?%s', async (query) => {
      const answer = await shop.app.client.send('GET', of(`/resources/core/v1/pods?${query}`));
      expect([query, answer.status, (answer.body as ErrorResponse).code]).toEqual([
        query,
        400,
        'invalid_input',
      ]);
    });

    it.each([
      'core/v1/nothings',
      'apps/v9/deployments',
      'core/v1/pods%2Flog',
      'core/..%2F..%2Fapi/pods',
      'UPPER/v1/pods',
      'core/v1/pods%00',
      '%2e%2e/v1/pods',
    ])('returns 404 for %s', async (type) => {
      const answer = await shop.app.client.send('GET', of(`/resources/${type}`));
      expect([answer.status, (answer.body as ErrorResponse).code]).toEqual([404, 'resource_type_not_found']);
    });
  });

  describe('GET :group/:version/:plural/:object', () => {
    it('returns YAML, owners and actions', async () => {
      const { rows } = await table('core/v1/pods?limit=100');
      const owned = rows.find(({ owner }) => owner?.kind === 'ReplicaSet');
      const path = of(`/resources/core/v1/pods/${owned?.name}?namespace=${owned?.namespace}`);
      const object = await shop.app.client.get<ResourceObjectDto>(path);
      expect(object).toMatchObject({
        name: owned?.name,
        namespace: owned?.namespace,
        uid: owned?.uid,
        type: { kind: 'Pod', group: 'core' },
        owners: [{ kind: 'ReplicaSet', group: 'apps', plural: 'replicasets', controller: true }],
        actions: ['expose', 'restart-pod'],
        hidden_keys: [],
        spec: { containers: expect.any(Array) },
        status: { phase: 'Running' },
      });
      const yaml = await shop.app.client.send('GET', path, { headers: { accept: 'application/yaml' } });
      expect(yaml.headers['content-type']).toContain('application/yaml');
      expect(yaml.text).toContain('kind: Pod');
      expect(yaml.text).not.toContain('managedFields');
    });

    it('returns the events of the object', async () => {
      const { rows } = await table('core/v1/events?limit=1000');
      const about = rows.find(({ cells }) => cells.some((cell) => String(cell).startsWith('pod/')));
      const pod = String(about?.cells.find((cell) => String(cell).startsWith('pod/'))).slice('pod/'.length);
      const events = await table(`core/v1/pods/${pod}/events?namespace=${about?.namespace}`);
      expect(events.rows.length).toBeGreaterThan(0);
      for (const { cells } of events.rows) expect(cells).toContain(`pod/${pod}`);
    });

    it.each([
      ['core/v1/configmaps/paged-0', 400, 'invalid_input'],
      ['core/v1/configmaps/paged-0?namespace=..', 400, 'invalid_input'],
      ['core/v1/configmaps/nothing?namespace=default', 404, 'resource_not_found'],
      ['core/v1/configmaps/..%2f..?namespace=default', 404, 'resource_not_found'],
      ['core/v1/configmaps/a%00b?namespace=default', 404, 'resource_not_found'],
    ])('returns an error for %s', async (path, status, code) => {
      const answer = await shop.app.client.send('GET', of(`/resources/${path}`));
      expect([answer.status, (answer.body as ErrorResponse).code]).toEqual([status, code]);
    });
  });

  describe('GET :group/:version/:plural/:object/diagnosis', () => {
    const diagnosis = (path: string): Promise<DiagnosisDto> =>
      shop.app.client.get<DiagnosisDto>(of(`/resources/${path}/diagnosis?namespace=shop`));

    it('explains a Deployment by the crash of its Pod, with its last lines', async () => {
      let found: DiagnosisDto | undefined;
      await waitFor(async () => {
        found = await diagnosis('apps/v1/deployments/mailer');
        return found.causes.some(({ evidence }) => evidence.some(({ source }) => source === 'log'));
      }, 'the crash of mailer');
      expect(found).toMatchObject({
        healthy: false,
        causes: [{ code: 'crash', container: 'mailer', count: 1, object: { kind: 'Pod', plural: 'pods' } }],
      });
      expect(found?.causes[0]?.message).toMatch(/^Container mailer exited with code 1/);
      const log = found?.causes[0]?.evidence.find(({ source }) => source === 'log');
      expect(log?.text).toContain('SMTP_HOST is not set');
    });

    it('finds no causes for healthy objects', async () => {
      const healthy = { healthy: true, causes: [] };
      expect(await diagnosis('apps/v1/deployments/web')).toEqual(healthy);
      expect(await diagnosis('core/v1/services/web')).toEqual(healthy);
    });
  });

  it('sends table changes to subscribers until they unsubscribe', async () => {
    const topic = 'resources:demo/shop/core/v1/configmaps';
    const first = await table('core/v1/configmaps?limit=2');
    const socket = await subscribe(topic, first.position);
    await put(configMap('changed', 'later'), 'configmaps');
    const message = await socket.next('resources', ({ upserts }) =>
      upserts.some(({ name }) => name === 'changed'),
    );
    expect(message).toMatchObject({ topic, reset: false, error: null, total: (first.total ?? 0) + 1 });
    const row = message.upserts.find(({ name }) => name === 'changed');
    // Watched objects answer requests too.
    const { rows, total } = await table('core/v1/configmaps?search=changed');
    expect([rows[0]?.uid, total]).toEqual([row?.uid, 1]);
    await shop.api.remove({
      group: '',
      version: 'v1',
      plural: 'configmaps',
      namespace: 'default',
      name: 'changed',
    });
    await socket.next('resources', ({ removed }) => removed.includes(row?.uid ?? ''));
    socket.send({ type: 'unsubscribe', topics: [topic] });
    await socket.settled();
    socket.messages.length = 0;
    await put(configMap('untold', 'later'), 'configmaps');
    const other = await subscribe(topic, message.position);
    await other.next('resources', ({ upserts }) => upserts.some(({ name }) => name === 'untold'));
    expect(socket.of('resources')).toEqual([]);
  });

  it.each([
    'overview:demo/../shop',
    'overview:demo',
    'overview:demo/shop/Pods',
    'overview:demo/shop/pods/web',
    'resources:demo/shop/core/v1',
    'resources:demo/shop/core/v1/pods/log',
    'resources:demo/shop/core/v1/PODS',
    'resources:demo/shop/core/v1/pods?watch=1',
    `resources:demo/shop/${'a'.repeat(600)}/v1/pods`,
  ])('rejects the topic %s', async (topic) => {
    const socket = await subscribe(topic);
    expect((await socket.next('error')).message).toContain('topics');
  });

  it.each([
    'overview:demo/unknown',
    'resources:demo/unknown/core/v1/pods',
    'resources:demo/shop/core/v1/nothings',
  ])('sends an error for the topic %s', async (topic) => {
    const socket = await subscribe(topic);
    const type = topic.startsWith('overview') ? 'overview' : 'resources';
    const message = await socket.next(type, ({ error }: { error: unknown }) => error !== null);
    expect(message.error?.code).toMatch(/^(cluster|resource_type)_not_found$/);
  });

  describe('selectors, search and namespace combined', () => {
    const all = [0, 1, 2, 3, 4, 5, 6].map((index) => `paged-${index}`);
    const cases: [query: string, found: string[]][] = [
      ['label_selector=made%3Dhere', all],
      ['label_selector=made%20in%20(here%2Cthere)&namespace=default', all],
      ['label_selector=made%3Dhere&search=AGED-', all],
      [
        'label_selector=made%3Dhere&field_selector=metadata.name!%3Dpaged-3&search=paged&namespace=default',
        all.filter((name) => name !== 'paged-3'),
      ],
      ['field_selector=metadata.namespace%3Ddefault&search=paged-', all],
      ['namespace=default&search=paged-', all],
      ['label_selector=made%3Dhere&namespace=kube-system', []],
      ['label_selector=made%3Dhere&namespace=kube-system,default', all],
      ['namespace=kube-public,default&search=paged-', all],
      ['label_selector=!made&search=paged-', []],
    ];

    it.each([
      ['without a viewer', false],
      ['beside one', true],
    ])('select the same rows on every page, %s', async (_name, isViewed) => {
      if (isViewed) {
        const socket = await subscribe('resources:demo/shop/core/v1/configmaps');
        await socket.next('resources', ({ reset }) => reset);
      }
      for (const [query, found] of cases) {
        const names: string[] = [];
        let page = await table(`core/v1/configmaps?limit=2&${query}`);
        for (;;) {
          names.push(...page.rows.map(({ name }) => name));
          expect([query, page.rows.length <= 2, page.total ?? found.length]).toEqual([
            query,
            true,
            found.length,
          ]);
          if (page.continue === null) break;
          page = await table(`core/v1/configmaps?limit=2&${query}&continue=${page.continue}`);
        }
        expect([query, names]).toEqual([query, found]);
      }
    });
  });

  it('fails with cluster_state and a remedy while the cluster is stopped', async () => {
    const socket = await subscribe('resources:demo/shop/core/v1/pods');
    await socket.next('resources', ({ reset }) => reset);
    await jobEnded(shop.app.client, await submit(shop.app.client, of('/stop')));
    for (const path of [
      '/overview',
      '/resources',
      '/resources/core/v1/pods',
      '/resources/core/v1/pods/a?namespace=b',
    ]) {
      const answer = await shop.app.client.send('GET', of(path));
      expect([path, answer.status, (answer.body as ErrorResponse).code]).toEqual([
        path,
        409,
        'cluster_state',
      ]);
      expect((answer.body as ErrorResponse).message).toContain('Start it first.');
    }
    expect((await socket.next('resources', ({ error }) => error !== null)).error?.code).toBe('cluster_state');
    const { clusters } = await shop.app.client.get<SearchResponseDto>('/api/v1/search?q=web');
    expect(clusters).toMatchObject([{ searched: false, reason: 'it is stopped' }]);
    await jobEnded(shop.app.client, await submit(shop.app.client, of('/start')));
    await socket.next('resources', ({ error, upserts }) => error === null && upserts.length > 0);
  });
});
