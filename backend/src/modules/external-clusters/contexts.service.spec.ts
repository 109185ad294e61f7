import { describe, expect, it } from '@jest/globals';
import type { Configuration } from '../../core/config/index.js';
import type { ClustersService } from '../clusters/index.js';
import { ContextsService } from './contexts.service.js';
import type { ExternalCluster, ExternalClusterStore } from './external-cluster.store.js';

const KUBECONFIG = `
contexts: [{ name: ci, context: { cluster: c, user: ci } }]
clusters: [{ name: c, cluster: { server: 'https://api.shop.test' } }]
users: [{ name: ci, user: { token: secret } }]
`;

describe('ContextsService', () => {
  it('decrypts and parses a pasted kubeconfig once, until its cluster is removed', async () => {
    let reads = 0;
    const kubeconfig = (): string => {
      reads += 1;
      return KUBECONFIG;
    };
    const contexts = new ContextsService(
      {} as Configuration,
      { kubeconfig } as unknown as ExternalClusterStore,
      {} as ClustersService,
    );
    const pasted = { name: 'prod', context: 'ci', file: null, addedAt: '2026-11-30' } as ExternalCluster;
    const [first, second] = await Promise.all([contexts.ofCluster(pasted), contexts.ofCluster(pasted)]);
    expect(second).toBe(first);
    expect([first.server.href, reads]).toEqual(['https://api.shop.test/', 1]);
    await contexts.ofCluster({ ...pasted, addedAt: '2026-12-01' });
    expect(reads).toBe(2);
    contexts.forget('prod');
    await contexts.ofCluster({ ...pasted, addedAt: '2026-12-01' });
    expect(reads).toBe(3);
  });
});
