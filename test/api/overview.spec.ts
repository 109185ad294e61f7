import { describe, expect, it } from '@jest/globals';
import type { Overview } from '../../backend/src/modules/resources/overview/overview.dto.js';
import { BUILT_IN_BLOCKS } from '../../backend/src/modules/resources/overview/built-in-kinds.js';
import type {
  ResourceBlockDto,
  ResourceTypeDto,
} from '../../backend/src/modules/resources/common/resource.dto.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import { ShopBench } from '../support/app/shop-bench.js';

const NONE = { ok: 0, progressing: 0, warning: 0, failed: 0, ended: 0 };

function blocksOf(overview: Overview): [string, ResourceBlockDto][] {
  return Object.entries(overview).filter(([key]) => key.startsWith('k8s_')) as [string, ResourceBlockDto][];
}

describe('/clusters/:name/overview', () => {
  const shop = new ShopBench();
  const { of, table, put, configMap, subscribe } = shop;

  describe('GET /clusters/:name/overview', () => {
    it('returns a block for every kind, and for all built-in ones', async () => {
      const overview = await shop.app.client.get<Overview>(of('/overview'));
      expect(overview).toMatchObject({ cluster: 'shop', runtime: 'demo', summary: { nodes: 2 } });
      const blocks = blocksOf(overview);
      expect(blocks.map(([name]) => name)).toEqual(expect.arrayContaining([...BUILT_IN_BLOCKS]));
      const types = await shop.app.client.get<ResourceTypeDto[]>(of('/resources'));
      const shown = blocks.map(([, { type }]) => `${type.group}/${type.plural}`);
      const listed = types.filter(({ group, verbs }) => verbs.includes('list') && group !== 'events.k8s.io');
      expect(shown).toEqual(expect.arrayContaining(listed.map(({ group, plural }) => `${group}/${plural}`)));
      for (const [name, { rows, total, health, error }] of blocks) {
        expect([name, error, rows.length]).toEqual([name, null, Math.min(5, total)]);
        const { ok, progressing, warning, failed, ended, none } = health ?? { ...NONE, none: total };
        const counted = ok + progressing + warning + failed + ended + none;
        expect([name, counted]).toEqual([name, total]);
      }
      // Across all namespaces.
      const namespaces = overview['k8s_serviceaccounts']?.rows.map(({ namespace }) => namespace);
      expect(new Set(namespaces).size).toBeGreaterThan(1);
    });

    it('restricts blocks and rows, and reports kinds that are not served', async () => {
      const narrow = await shop.app.client.get<Overview>(
        of('/overview?blocks=configmaps,k8s_nodes,orders.shop.example&limit=2'),
      );
      expect(Object.keys(narrow).filter((key) => key.startsWith('k8s_'))).toEqual([
        'k8s_configmaps',
        'k8s_nodes',
        'k8s_orders.shop.example',
      ]);
      expect(narrow['k8s_configmaps']?.rows).toHaveLength(2);
      expect(narrow['k8s_orders.shop.example']).toMatchObject({
        total: 0,
        error: {
          code: 'resource_type_not_found',
          message: expect.stringContaining('does not serve orders.shop.example'),
        },
      });
      expect(narrow.summary.pods).toBeGreaterThan(0);
    });

    it('restricts the blocks of namespaced kinds to namespaces', async () => {
      const names = (block: string, overview: Overview): unknown =>
        overview[`k8s_${block}`]?.rows.map(({ namespace }) => namespace);
      const narrow = await shop.app.client.get<Overview>(
        of('/overview?blocks=serviceaccounts,pods,nodes&namespace=default,kube-public'),
      );
      expect(names('serviceaccounts', narrow)).toEqual(['default', 'kube-public']);
      expect(narrow['k8s_pods']).toMatchObject({ total: 0, health: NONE });
      expect(narrow).toMatchObject({ k8s_nodes: { total: 2 }, summary: { nodes: 2 } });
      expect(narrow.summary.pods).toBeGreaterThan(0);
    });

    it('returns all rows in the order of kubectl if the limit exceeds the total', async () => {
      const { k8s_configmaps: block } = (await shop.app.client.get<Overview>(
        of('/overview?blocks=configmaps&limit=500'),
      )) as Required<Overview>;
      const whole = await table('core/v1/configmaps?limit=1000');
      expect(block?.columns).toEqual(whole.columns);
      expect(block?.rows.map(({ uid }) => uid)).toEqual(whole.rows.map(({ uid }) => uid));
      const places = whole.rows.map(({ namespace, name }) => `${namespace}/${name}`);
      expect(places).toEqual([...places].sort());
    });

    it.each(['blocks=', 'blocks=../nodes', 'blocks=pods%00', 'limit=-1', 'limit=501', 'limit=x'])(
      'rejects ?%s',
      async (query) => {
        const answer = await shop.app.client.send('GET', of(`/overview?${query}`));
        expect([answer.status, (answer.body as ErrorResponse).code]).toEqual([400, 'invalid_input']);
      },
    );
  });

  it('sends the overview to subscribers, by block', async () => {
    const socket = await subscribe('overview:demo/shop');
    const seen = new Set<string>();
    await socket.next('overview', ({ blocks, summary }) => {
      for (const block of Object.keys(blocks)) seen.add(block);
      return seen.size >= BUILT_IN_BLOCKS.length && summary.nodes === 2;
    });
    expect([...seen]).toEqual(expect.arrayContaining([...BUILT_IN_BLOCKS]));
    await put(configMap('glanced', 'later'), 'configmaps');
    // A cause that is found at the same time may change another block, but not all of them.
    await socket.next(
      'overview',
      ({ blocks }) =>
        blocks['k8s_configmaps']?.rows.some(({ name }) => name === 'glanced') === true &&
        Object.keys(blocks).length < BUILT_IN_BLOCKS.length / 2,
    );
    const narrow = await subscribe('overview:demo/shop/kube-public,kube-system');
    const { topic, blocks } = await narrow.next('overview', (message) => 'k8s_pods' in message.blocks);
    expect(topic).toBe('overview:demo/shop/kube-public,kube-system');
    expect(new Set(blocks['k8s_pods']?.rows.map(({ namespace }) => namespace))).toEqual(
      new Set(['kube-system']),
    );
  });
});
