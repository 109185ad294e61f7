import { describe, expect, it } from '@jest/globals';
import { CLUSTER_NAME } from '../../core/security/index.js';
import { freeClusterName } from './cluster-names.js';

describe('freeClusterName', () => {
  it.each([
    ['prod', 'prod'],
    ['gke_project_europe-west3_shop', 'shop'],
    ['gke_project_europe-west3_shop_two', 'shop-two'],
    ['gke_project', 'gke-project'],
    ['arn:aws:eks:eu-west-1:123456789012:cluster/shop', 'shop'],
    ['default/api-shop-test:6443/kube:admin', 'kube-admin'],
    ['shop/', 'shop'],
    ['Admin@Shop.Example', 'admin-shop-example'],
    ['--shop--', 'shop'],
    ['日本', 'cluster'],
    ['', 'cluster'],
    [`${'a'.repeat(39)}.b`, 'a'.repeat(39)],
    ['a'.repeat(200), 'a'.repeat(40)],
  ])('names context %j %s', (context, name) => {
    expect(freeClusterName(context, new Set())).toBe(name);
    expect(name).toMatch(CLUSTER_NAME);
  });

  it('counts up while the name is taken, within the length of a name', () => {
    const taken = new Set<string>();
    for (const context of ['shop', 'a'.repeat(100)]) {
      for (let count = 0; count < 120; count += 1) taken.add(freeClusterName(context, taken));
    }
    expect(taken.size).toBe(240);
    expect([...taken].slice(0, 3)).toEqual(['shop', 'shop-2', 'shop-3']);
    expect([...taken].filter((name) => !CLUSTER_NAME.test(name))).toEqual([]);
  });
});
