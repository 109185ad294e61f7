import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { DeletionDto } from '../../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { JournalPageDto } from '../../../backend/src/modules/journal/journal.dto.js';
import { OWN_KUBECONFIG } from '../../support/own-kubeconfig.js';
import { leftOf, NOTHING, tracesOf } from '../support/engines.js';
import type { RealCluster } from '../support/real-cluster.js';

/** Deletes the cluster after all other parts. */
export function testDeletion(cluster: RealCluster): void {
  const { engine, name, nodes } = cluster;

  it('deletes containers, volumes and files', async () => {
    const { product } = cluster;
    const had = await tracesOf(engine, name);
    expect(had.volumes).toHaveLength(2);
    const { status, body } = await product.call<DeletionDto>('DELETE', `/clusters/${name}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ cluster: name, deleted: true });
    expect(body.removed.containers).toEqual(nodes);
    expect(body.removed.volumes).toEqual(had.volumes);
    expect(await leftOf(engine, name, had)).toEqual(NOTHING);
    expect((await product.clusters()).map((one) => one.name)).not.toContain(name);
    expect((await product.call('GET', `/clusters/${name}`)).status).toBe(404);
    expect(() => product.readData('clusters', name, 'cluster.yaml')).toThrow('ENOENT');
  });

  it('restores the kubeconfig of the user', () => {
    expect(readFileSync(cluster.ownKubeconfig, 'utf8')).toBe(
      OWN_KUBECONFIG.replace('namespace: payments', 'namespace: invoices'),
    );
  });

  it('writes all changes to the journal, the deletion last', async () => {
    const path = `/journal/recent?cluster=${name}&limit=200`;
    const { entries } = (await cluster.product.call<JournalPageDto>('GET', path)).body;
    const events = entries.map(({ kind, outcome }) => `${kind} ${outcome}`);
    expect([events[0], events.at(-1)]).toEqual(['delete succeeded', 'create succeeded']);
    expect(events).toContain('node-stopped failed');
    expect(entries.at(-1)?.duration_ms).toBeGreaterThan(5000);
  });
}
