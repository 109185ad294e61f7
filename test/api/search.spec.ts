import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClusterResources } from '../../backend/src/modules/resources/common/cluster-resources.js';
import type { SearchResponseDto } from '../../backend/src/modules/search/search.dto.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import { createCluster, jobEnded } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

describe('GET /search', () => {
  let app: TestApp;
  const search = (query: string): Promise<SearchResponseDto> =>
    app.client.get<SearchResponseDto>(`/api/v1/search?q=${encodeURIComponent(query)}`);

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'shop', { workers: 1 });
    const { api } = await app.nest.get(ClusterResources, { strict: false }).open('shop');
    for (let index = 0; index < 7; index += 1) {
      const metadata = { name: `paged-${index}`, namespace: 'default' };
      const reference = { group: '', version: 'v1', plural: 'configmaps', ...metadata };
      await api.apply(reference, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    }
  });

  afterAll(() => app.stop());

  it('finds names of all kinds, best matches first', async () => {
    const { results, clusters, truncated } = await search('paged-3');
    expect(results).toEqual([
      {
        cluster: 'shop',
        runtime: 'demo',
        group: 'core',
        version: 'v1',
        plural: 'configmaps',
        kind: 'ConfigMap',
        namespace: 'default',
        name: 'paged-3',
      },
    ]);
    expect(clusters).toEqual([{ cluster: 'shop', runtime: 'demo', searched: true, reason: null }]);
    expect(truncated).toBe(false);
    expect((await search('cm PAGED')).results).toHaveLength(7);
    const cut = await app.client.get<SearchResponseDto>('/api/v1/search?q=paged&limit=2');
    expect([cut.results.length, cut.truncated]).toEqual([2, true]);
  });

  it('restricts the search to a cluster or an engine', async () => {
    await createCluster(app.client, 'blog');
    const found = async (where: string): Promise<[string[], string[]]> => {
      const { results, clusters } = await app.client.get<SearchResponseDto>(
        `/api/v1/search?q=kube-system&limit=200${where}`,
      );
      return [
        [...new Set(results.map((each) => each.cluster))].sort(),
        clusters.map(({ cluster }) => cluster),
      ];
    };
    const both = ['blog', 'shop'];
    expect(await found('')).toEqual([both, both]);
    expect(await found('&runtime=demo')).toEqual([both, both]);
    expect(await found('&runtime=docker')).toEqual([[], []]);
    expect(await found('&cluster=blog&runtime=demo')).toEqual([['blog'], ['blog']]);
    expect(await found('&cluster=shop')).toEqual([['shop'], ['shop']]);
    for (const where of ['unknown', 'shop&runtime=docker']) {
      const answer = await app.client.send('GET', `/api/v1/search?q=a&cluster=${where}`);
      expect([answer.status, (answer.body as ErrorResponse).code]).toEqual([404, 'cluster_not_found']);
    }
    const { body } = await app.client.send('DELETE', '/api/v1/clusters/blog');
    await jobEnded(app.client, (body as { job_id: number }).job_id);
  });

  it.each([
    '',
    '?q=',
    '?q=%20',
    '?q=a&q=b',
    `?q=${'a'.repeat(254)}`,
    '?q=a&limit=0',
    '?q=a&limit=201',
    '?q=a&x=1',
    '?q=a&cluster=../x',
    '?q=a&cluster=a&cluster=b',
    '?q=a&runtime=A',
  ])('rejects %s', async (query) => {
    expect((await app.client.send('GET', `/api/v1/search${query}`)).status).toBe(400);
  });
});
