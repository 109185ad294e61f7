import { describe, expect, it } from '@jest/globals';
import { newLine, START } from '../../../../test/support/logs/lines.js';
import { type LogStore, type SourceIdentity, StoredLogs } from '../../drivers/log-store/index.js';
import { deletedPods } from './deleted-pods.js';

function source(
  id: number,
  uid: string,
  of: Partial<SourceIdentity> = {},
  lastTime: number | null = id,
): object {
  const identity = {
    key: `pod/docker/dev/${uid}/web`,
    kind: 'pod',
    runtime: 'docker',
    cluster: 'dev',
    namespace: 'shop',
    workload: 'Deployment/web',
    name: `web-${uid}`,
    // As for a Pod with one container.
    container: null,
    service: null,
    ...of,
  };
  return { id, identity, extent: { firstSeq: 1, nextSeq: 2, bytes: 10, firstTime: lastTime, lastTime } };
}

function storedLogs(sources: readonly object[]): StoredLogs {
  const stored = new StoredLogs();
  stored.store = {
    sources: () => sources,
    page: ([id]: number[], position: number, { before }: { before: number }) => {
      const line = { ...newLine(`${id ?? ''} ${position} ${before}`, START), seq: 1 };
      return Promise.resolve({ lines: [{ source: id, line }] });
    },
  } as unknown as LogStore;
  return stored;
}

describe('deletedPods', () => {
  const of = {
    cluster: 'dev',
    runtime: undefined,
    namespace: 'shop',
    since: 1,
    isOwn: (workload: string): boolean => workload === 'Deployment/web',
  };
  const limits = { tail: 200, bytes: 1000 };

  it('reads the newest lines of the Pods that the workload had, the newest Pod first', async () => {
    const stored = storedLogs([
      source(1, 'old'),
      source(2, 'present'),
      source(3, 'new'),
      source(4, 'empty', {}, null),
      source(5, 'a', { workload: 'Deployment/api' }),
      source(6, 'b', { namespace: 'default' }),
      source(7, 'c', { cluster: 'prod' }),
      source(8, 'd', { kind: 'container' }),
    ]);
    const found = await deletedPods(stored, of, new Set(['present']), limits);
    expect(found.map(({ pod, container, lines }) => [pod, container, lines[0]?.text])).toEqual([
      ['web-new', 'web', '3 Infinity 200'],
      ['web-old', 'web', '1 Infinity 200'],
    ]);
    expect(await deletedPods(stored, { ...of, runtime: 'podman' }, new Set(), limits)).toEqual([]);
  });

  it('leaves out Pods of an earlier cluster of the same name', async () => {
    const stored = storedLogs([source(1, 'old'), source(2, 'new')]);
    const found = await deletedPods(stored, { ...of, since: 2 }, new Set(), limits);
    expect(found.map(({ pod }) => pod)).toEqual(['web-new']);
  });

  it('finds at most 20 logs, and none without a store', async () => {
    const many = Array.from({ length: 30 }, (_, index) => source(index + 1, `p${index}`));
    expect(await deletedPods(storedLogs(many), of, new Set(), limits)).toHaveLength(20);
    expect(await deletedPods(new StoredLogs(), of, new Set(), limits)).toEqual([]);
  });
});
