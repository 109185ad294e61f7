import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { LinePageDto } from '../../../backend/src/modules/log-search/line-page.dto.js';
import type { SearchResultDto } from '../../../backend/src/modules/log-search/search.dto.js';
import type { LogSourceDto } from '../../../backend/src/modules/log-sources/log-source.dto.js';
import { waitFor } from '../../support/wait-for.js';
import { run } from '../support/engines.js';
import { RealBoard, TIMEOUT_MS } from '../support/real-board.js';
import type { RealCluster } from '../support/real-cluster.js';
import { isAll } from '../support/scope.js';

/**
 * Crashes early the first time, and late after that: while a Pod waits for its next restart, the kubelet returns the
 * latest instance as the previous one, too.
 */
const CRASHER = `
echo "level=error msg=\\"going down at $(date +%s)\\""
if mkdir /marks/once 2>/dev/null; then sleep 2; else sleep 20; fi
exit 3`;

/** A fraction of a second on an idle machine, and less than the interval of the lists on a busy one. */
const PROMPT_MS = 5000;
/** Numbered lines, so that gaps and duplicates are visible. */
const COUNTER = 'i=0; while [ $i -lt 600 ]; do i=$((i+1)); echo "line $i"; sleep 0.05; done; sleep 3600';
const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`);
/** About 400 kB of numbered lines in 30 s. */
const WRITER = `
pad=$(printf '%0190d' 0)
i=0; while [ $i -lt 2000 ]; do
  for _ in 1 2 3 4 5 6 7 8; do i=$((i+1)); echo "line $i $pad"; done; sleep 0.1
done; sleep 3600`;

interface Container {
  name: string;
  command: string[];
  restartPolicy?: string;
  volumeMounts?: object[];
}

/** With a separate log board, which the tests stop and start. */
export function testLogs(cluster: RealCluster): void {
  const { engine, name } = cluster;
  const [controlPlane] = cluster.nodes;
  const board = new RealBoard(join(cluster.folder, 'log-board'));
  const inCluster = (source: LogSourceDto): boolean => source.runtime === engine && source.cluster === name;
  const ofControlPlane = (source: LogSourceDto): boolean => inCluster(source) && source.name === controlPlane;

  const ofPodNamed =
    (pod: string) =>
    (source: LogSourceDto): boolean =>
      inCluster(source) && source.name === pod;

  /** Creates a Pod with busybox containers. */
  async function apply(
    pod: string,
    containers: { containers: Container[]; initContainers?: Container[] },
    more: object = {},
  ): Promise<void> {
    const whole = ({ ...container }: Container): object => ({
      ...container,
      image: 'busybox:1.36',
      imagePullPolicy: 'Never',
    });
    const spec = {
      ...more,
      terminationGracePeriodSeconds: 1,
      containers: containers.containers.map(whole),
      initContainers: containers.initContainers?.map(whole),
    };
    const file = join(cluster.folder, `${pod}.json`);
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: pod }, spec }));
    await cluster.serviceAccount();
    await cluster.kubectl('apply', `--filename=${file}`);
  }

  beforeAll(() => board.start());
  afterAll(() => board.stop());

  it.each(cluster.nodes)('contain the services of %s', async (node) => {
    for (const service of ['kubelet', 'containerd']) {
      const source = await board.source(
        (one) => inCluster(one) && one.name === node && one.service === service && one.next_seq > 1,
      );
      expect(source).toMatchObject({ kind: 'node', state: 'live' });
    }
  });

  it('report a new and a deleted Pod by its events', async () => {
    // The log board follows the pods already.
    await board.source((one) => inCluster(one) && one.kind === 'pod' && one.state === 'live');
    const ofPod = ofPodNamed('quick');
    const socket = await board.connect();
    const reported = async (fits: (source: LogSourceDto) => boolean, id?: number): Promise<number> => {
      const after = performance.now();
      await socket.next(
        'sources',
        ({ whole, sources, gone }) =>
          !whole && (sources.some(fits) || (id !== undefined && gone.includes(id))),
        TIMEOUT_MS,
      );
      return performance.now() - after;
    };
    try {
      socket.send({ type: 'watch_sources' });
      await socket.next('sources', ({ whole }) => whole);
      // `kubectl` returns once the API server has created or deleted the pod. Earlier reports count as immediate.
      await apply('quick', { containers: [{ name: 'main', command: ['sleep', '3600'] }] });
      expect(await reported(ofPod)).toBeLessThan(PROMPT_MS);
      await reported((one) => ofPod(one) && one.state === 'live');
      const { id } = await board.source(ofPod);
      await cluster.kubectl('delete', 'pod', 'quick', '--now');
      // It has no lines, so it may be removed before it is reported as gone.
      expect(await reported((one) => ofPod(one) && one.state === 'gone', id)).toBeLessThan(PROMPT_MS);
    } finally {
      socket.close();
    }
  });

  it('contain sidecars and ephemeral containers', async () => {
    await apply('sided', {
      containers: [{ name: 'main', command: ['sleep', '3600'] }],
      initContainers: [
        { name: 'beside', command: ['sh', '-c', 'echo beside it; sleep 3600'], restartPolicy: 'Always' },
      ],
    });
    const ofRole = (role: string) => (one: LogSourceDto) =>
      ofPodNamed('sided')(one) && one.role === role && one.next_seq > 1;
    const beside = await board.source(ofRole('sidecar'));
    expect(beside).toMatchObject({ container: 'beside', state: 'live', previous: null });
    expect(await board.texts(beside.id)).toEqual(['beside it']);
    const looking = ['--image=busybox:1.36', '--image-pull-policy=Never', '--container=looker'];
    await cluster.kubectl('debug', 'sided', ...looking, '--', 'sh', '-c', 'echo looking; exit 0');
    const looker = await board.source((one) => ofRole('ephemeral')(one) && one.state === 'ended');
    expect(looker.container).toBe('looker');
    expect(await board.texts(looker.id)).toEqual(['looking']);
    await cluster.kubectl('delete', 'pod', 'sided', '--now');
    await board.source((one) => one.id === beside.id && one.state === 'gone');
    expect(await board.texts(beside.id)).toEqual(['beside it']);
  });

  if (!isAll) return;

  it('have no duplicates after a restart of the log board', async () => {
    const ofService = (one: LogSourceDto): boolean => ofControlPlane(one) && one.service === 'containerd';
    const { id } = await board.source((one) => ofService(one) && one.next_seq > 1);
    await board.stop();
    await board.start();
    await board.source((one) => one.id === id && one.state === 'live');
    const [first = '', ...others] = await board.texts(id);
    expect(others).not.toContain(first);
  });

  it('contain the instances of a crashed Pod and its init container', async () => {
    // The Pod crashes while the log board is stopped.
    await board.stop();
    await apply(
      'crasher',
      {
        containers: [
          {
            name: 'main',
            command: ['sh', '-c', CRASHER],
            volumeMounts: [{ name: 'marks', mountPath: '/marks' }],
          },
        ],
        initContainers: [{ name: 'first', command: ['echo', 'made ready'] }],
      },
      { volumes: [{ name: 'marks', emptyDir: {} }] },
    );
    const count = '--output=jsonpath={.status.containerStatuses[0].restartCount}';
    await waitFor(
      async () => Number(await cluster.kubectl('get', 'pod', 'crasher', count).catch(() => '0')) > 0,
      'its first restart',
      TIMEOUT_MS,
    );
    await board.start();
    const ofPod = ofPodNamed('crasher');
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
    // The next crash happens while the log board follows the Pod. Each line is found once.
    let found: string[] = [];
    const hasCrashed = async (): Promise<boolean> => {
      const ids = (await board.get<LogSourceDto[]>('/api/sources')).filter(ofPod).map(({ id }) => id);
      const address = `/api/search?q=going%20down&sources=${ids.join()}`;
      found = (await board.get<SearchResultDto>(address)).matches.map(({ text }) => text);
      return new Set(found).size >= 3;
    };
    await waitFor(hasCrashed, 'its next crash', 2 * TIMEOUT_MS);
    expect(found).toEqual([...new Set(found)]);
    await cluster.kubectl('delete', 'pod', 'crasher', '--now');
    await board.source((one) => one.id === previous.id && one.state === 'gone');
    expect(await board.texts(previous.id)).toEqual(texts);
  });

  it('arrive live, without gaps or duplicates across restarts of the log board', async () => {
    await apply('counter', { containers: [{ name: 'main', command: ['sh', '-c', COUNTER] }] });
    const keeps = (count: number) => (one: LogSourceDto) =>
      ofPodNamed('counter')(one) && one.next_seq > count;
    const { id } = await board.source(ofPodNamed('counter'));
    const socket = await board.connect();
    try {
      socket.send({ type: 'subscribe', source: id, after: 0 });
      const received = (): string[] =>
        socket.of('lines').flatMap(({ lines }) => lines.map(([, , , , text]) => text));
      await waitFor(
        () => received().length >= 100,
        () => `lines, after ${received().length},`,
        TIMEOUT_MS,
      );
      expect(received()).toEqual(numbered(received().length));
      expect(socket.of('skipped')).toEqual([]);
    } finally {
      socket.close();
    }
    await board.stop();
    await board.start();
    await board.source(keeps(250));
    await board.kill();
    await board.start();
    const { id: again } = await board.source(keeps(600));
    expect(again).toBe(id);
    expect(await board.texts(id)).toEqual(numbered(600));
    await cluster.kubectl('delete', 'pod', 'counter', '--now');
  });

  it('stay complete and in order when the kubelet rotates files', async () => {
    // Small files that rotate during the test. Three seconds is the shortest interval of the kubelet, and systemd
    // restarts the kubelet.
    const limits = 'containerLogMaxSize: 64Ki\\ncontainerLogMonitorInterval: 3s';
    const file = '/var/lib/kubelet/config.yaml';
    const script = `sed -i '/^containerLog/d' ${file} && printf '${limits}\\n' >> ${file} && pkill -x kubelet`;
    const [, worker] = cluster.nodes;
    await run(engine, ['exec', worker, 'sh', '-c', script]);
    const container = { name: 'main', command: ['sh', '-c', WRITER] };
    await apply('writer', { containers: [container] }, { nodeName: worker });
    const { id } = await board.source(ofPodNamed('writer'));
    const newest = async (): Promise<string | undefined> =>
      (await board.get<LinePageDto>(`/api/sources/${id}/lines?limit=1`)).lines[0]?.text;
    const hasAll = async (): Promise<boolean> => (await newest())?.startsWith('line 2000 ') === true;
    await waitFor(hasAll, 'the last line', 3 * TIMEOUT_MS);
    const numbers = (await board.texts(id)).map((text) => Number(text.split(' ')[1]));
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    const files = await run(engine, ['exec', worker, 'sh', '-c', 'ls /var/log/pods/default_writer_*/main']);
    expect(files.trim().split('\n').length).toBeGreaterThan(2);
    expect(numbers).toEqual(Array.from({ length: 2000 }, (_, index) => index + 1));
    await cluster.kubectl('delete', 'pod', 'writer', '--now');
  });
}
