import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { SearchResultDto } from '../../../backend/src/modules/logs/search/search.dto.js';
import type { LogSourceDto } from '../../../backend/src/modules/logs/sources/log-source.dto.js';
import { waitFor } from '../../support/wait-for.js';
import { PATIENCE_MS, RealBoard } from '../support/real-board.js';
import type { RealCluster } from '../support/real-cluster.js';

/**
 * It crashes soon the first time, and late later on: as long as it waits to be started again, the cluster gives the
 * instance that ended last for the one before as well.
 */
const CRASHER = `
echo "level=error msg=\\"going down at $(date +%s)\\""
if mkdir /marks/once 2>/dev/null; then sleep 2; else sleep 20; fi
exit 3`;

/** By a log board of its own, which is stopped and started. */
export function proveLogs(cluster: RealCluster): void {
  const { engine, name } = cluster;
  const [controlPlane] = cluster.nodes;
  const board = new RealBoard(join(cluster.folder, 'log-board'));
  const inCluster = (source: LogSourceDto): boolean => source.runtime === engine && source.cluster === name;
  const ofControlPlane = (source: LogSourceDto): boolean => inCluster(source) && source.name === controlPlane;

  beforeAll(() => board.start());
  afterAll(() => board.stop());

  it('are those of its nodes’ services', async () => {
    for (const service of ['kubelet', 'containerd']) {
      const source = await board.source(
        (one) => ofControlPlane(one) && one.service === service && one.next_seq > 1,
      );
      expect(source).toMatchObject({ kind: 'node', state: 'live' });
    }
  });

  it('are not taken in again after a restart of the log board', async () => {
    const ofService = (one: LogSourceDto): boolean => ofControlPlane(one) && one.service === 'containerd';
    const { id } = await board.source((one) => ofService(one) && one.next_seq > 1);
    await board.stop();
    await board.start();
    await board.source((one) => one.id === id && one.state === 'live');
    const [first = '', ...others] = await board.texts(id);
    expect(others).not.toContain(first);
  });

  it('are those of a crashed pod’s instances, and of its init container', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'crasher' },
      spec: {
        initContainers: [
          {
            name: 'first',
            image: 'busybox:1.36',
            imagePullPolicy: 'Never',
            command: ['echo', 'made ready'],
          },
        ],
        containers: [
          {
            name: 'main',
            image: 'busybox:1.36',
            imagePullPolicy: 'Never',
            command: ['sh', '-c', CRASHER],
            volumeMounts: [{ name: 'marks', mountPath: '/marks' }],
          },
        ],
        volumes: [{ name: 'marks', emptyDir: {} }],
      },
    };
    const file = join(cluster.folder, 'pod.json');
    await writeFile(file, JSON.stringify(pod));
    await cluster.takesPods();
    // It crashes while nobody follows it.
    await board.stop();
    await cluster.kubectl('apply', `--filename=${file}`);
    const count = '--output=jsonpath={.status.containerStatuses[0].restartCount}';
    await waitFor(
      async () => Number(await cluster.kubectl('get', 'pod', 'crasher', count).catch(() => '0')) > 0,
      'its first restart',
      PATIENCE_MS,
    );
    await board.start();
    const ofPod = (source: LogSourceDto): boolean => inCluster(source) && source.name === 'crasher';
    const init = await board.source((one) => ofPod(one) && one.role === 'init' && one.next_seq > 1);
    expect(await board.texts(init.id)).toEqual(['made ready']);
    const previous = await board.source((one) => ofPod(one) && one.previous !== null && one.next_seq > 1);
    const texts = await board.texts(previous.id);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toMatch(/^level=error msg="going down at \d+"$/);
    const { matches } = await board.get<SearchResultDto>(
      `/api/search?q=going%20down&level=error&sources=${previous.id}`,
    );
    expect(matches).toHaveLength(1);
    // It crashes again while it is followed: whatever it wrote is found once.
    let found: string[] = [];
    const hasCrashed = async (): Promise<boolean> => {
      const ids = (await board.get<LogSourceDto[]>('/api/sources')).filter(ofPod).map(({ id }) => id);
      const address = `/api/search?q=going%20down&sources=${ids.join()}`;
      found = (await board.get<SearchResultDto>(address)).matches.map(({ text }) => text);
      return new Set(found).size >= 3;
    };
    await waitFor(hasCrashed, 'its next crash', 2 * PATIENCE_MS);
    expect(found).toEqual([...new Set(found)]);
    await cluster.kubectl('delete', 'pod', 'crasher', '--now');
    await board.source((one) => one.id === previous.id && one.state === 'gone');
    expect(await board.texts(previous.id)).toEqual(texts);
  });
}
