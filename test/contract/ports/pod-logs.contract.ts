import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DomainError } from '../../../backend/src/core/errors/domain-error.js';
import type {
  KubernetesObject,
  LoggedPod,
  PodContainer,
  PodLogs,
  PodLogStart,
  ResourceApi,
} from '../../../backend/src/drivers/kubernetes/index.js';
import type { LogPiece } from '../../../backend/src/drivers/runtime/index.js';
import { waitFor } from '../../support/wait-for.js';

export interface PodLogsUnderTest {
  logs: PodLogs;
  /** Creates pods in the same cluster. */
  resources: ResourceApi;
  /** An image with a shell in the nodes of the cluster. */
  image: string;
  stop: () => Promise<unknown>;
}

const NAMESPACE = 'contract-pod-logs';
const PODS = { group: '', version: 'v1', plural: 'pods' };
const TALKS = 'i=0; while :; do echo "tick $i"; i=$((i+1)); sleep 0.2; done';
const FAILS = 'echo it cannot go on; exit 3';

/** The contract of pod logs. */
export function podLogsContract(start: () => Promise<PodLogsUnderTest>, deadlineMs = 20_000): void {
  let subject: PodLogsUnderTest;
  let pods: readonly LoggedPod[] = [];
  let tellings = 0;
  const following = new AbortController();
  let followed: Promise<unknown>;

  beforeAll(async () => {
    subject = await start();
    followed = subject.logs
      .followPods((list) => {
        pods = list;
        tellings += 1;
      }, following.signal)
      .then(
        () => 'resolved',
        (error: unknown) => error,
      );
    await waitFor(() => tellings > 0, 'the first telling', deadlineMs - 1000);
    await subject.resources.apply(
      { group: '', version: 'v1', plural: 'namespaces', namespace: null, name: NAMESPACE },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    );
    await make(podObject('talker', TALKS));
    await make(podObject('failing', FAILS));
    await make({
      ...podObject('not-started', TALKS),
      spec: { containers: [{ name: 'main', image: 'registry.contract.invalid/none:1' }] },
    });
    await make({
      ...podObject('sided', TALKS),
      spec: {
        ...spec(TALKS),
        initContainers: [
          { name: 'prepare', image: subject.image, command: ['sh', '-c', 'echo made ready'] },
          { name: 'proxy', image: subject.image, command: ['sh', '-c', TALKS], restartPolicy: 'Always' },
        ],
      },
    });
    await subject.resources.apply(
      { group: 'apps', version: 'v1', plural: 'deployments', namespace: NAMESPACE, name: 'many' },
      deployment(),
    );
  }, deadlineMs);

  afterAll(async () => {
    following.abort();
    await subject.resources.remove({
      group: '',
      version: 'v1',
      plural: 'namespaces',
      namespace: null,
      name: NAMESPACE,
    });
    await subject.stop();
  }, deadlineMs);

  const check = (what: string, run: () => Promise<void>): void => it(what, run, deadlineMs);
  const patience = deadlineMs - 2000;

  async function make(object: KubernetesObject): Promise<void> {
    // The service account of pods is created after the namespace.
    await waitFor(
      () =>
        subject.resources.apply({ ...PODS, namespace: NAMESPACE, name: object.metadata.name }, object).then(
          () => true,
          (error: unknown) => {
            if (/serviceaccount/.test(String(error))) return false;
            throw error;
          },
        ),
      object.metadata.name,
      deadlineMs / 2,
    );
  }

  const pod = (name: string): LoggedPod | undefined =>
    pods.find((candidate) => candidate.namespace === NAMESPACE && candidate.name.startsWith(name));
  const container = (name: string): PodContainer | undefined => pod(name)?.containers.at(-1);
  const startOptions = (more: Partial<PodLogStart> = {}): PodLogStart => ({
    container: 'main',
    previous: false,
    since: null,
    tail: 1000,
    ...more,
  });
  const read = async (name: string, from: PodLogStart, enough = Infinity): Promise<LogPiece[]> => {
    const pieces: LogPiece[] = [];
    const leaving = AbortSignal.timeout(patience);
    for await (const batch of subject.logs.open({ namespace: NAMESPACE, name }, from, leaving)) {
      expect(batch.length).toBeGreaterThan(0);
      pieces.push(...batch);
      if (pieces.length >= enough) break;
    }
    return pieces;
  };

  check('lists pods with their containers and workload', async () => {
    await waitFor(() => container('talker')?.running === true, 'the talker', patience);
    expect(pod('talker')).toMatchObject({
      uid: expect.stringMatching(/./),
      workload: null,
      containers: [{ name: 'main', role: 'main', running: true, waiting: null, restarts: 0 }],
    });
    expect(Math.abs(Date.now() - Date.parse(container('talker')?.startedAt ?? ''))).toBeLessThan(600_000);
    await waitFor(() => pod('many-') !== undefined, 'the pod of the deployment', patience);
    expect(pod('many-')?.workload).toEqual({ kind: 'Deployment', name: 'many' });
    const dns = pods.find(({ name }) => name.startsWith('coredns-'));
    expect(dns).toMatchObject({
      namespace: 'kube-system',
      workload: { kind: 'Deployment', name: 'coredns' },
    });
    expect(pods.find(({ name }) => name.startsWith('etcd-'))?.workload).toBeNull();
  });

  check('follows a container, and resumes from a time', async () => {
    const pieces = await read('talker', startOptions(), 3);
    expect(pieces.length).toBeGreaterThanOrEqual(3);
    for (const { stream, time, data } of pieces) {
      expect(stream).toBeNull();
      expect(Math.abs(Date.now() * 1000 - time)).toBeLessThan(600e6);
      expect(data.toString()).toMatch(/^[^\n]+\n$/);
      expect(data.toString()).not.toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z /);
    }
    const last = pieces.at(-1);
    const [first] = await read('talker', startOptions({ since: last?.time ?? 0 }), 1);
    expect(first?.time).toBeGreaterThanOrEqual(Math.floor((last?.time ?? 0) / 1e6) * 1e6);
    const none = await read('talker', startOptions({ tail: 1 }), 1);
    expect(none[0]?.time).toBeGreaterThanOrEqual(last?.time ?? 0);
  });

  check('ends with the existing lines if it is not followed, and finds one pod', async () => {
    const pieces = await read('talker', startOptions({ follow: false, tail: 2 }));
    expect(pieces.map(({ data }) => data.toString())).toEqual([
      expect.stringMatching(/^tick \d+\n$/),
      expect.stringMatching(/^tick \d+\n$/),
    ]);
    const found = await subject.logs.find({ namespace: NAMESPACE, name: 'talker' });
    expect(found).toMatchObject({ name: 'talker', containers: [{ name: 'main', running: true }] });
    await expect(subject.logs.find({ namespace: NAMESPACE, name: 'unknown' })).rejects.toMatchObject({
      code: 'resource_not_found',
    });
  });

  check('lists and reads init containers and sidecars', async () => {
    const runs = (name: string): boolean =>
      pod('sided')?.containers.find((one) => one.name === name)?.running === true;
    await waitFor(() => runs('proxy') && runs('main'), 'both that run', patience);
    expect(pod('sided')?.containers).toMatchObject([
      { name: 'prepare', role: 'init', running: false, waiting: null, restarts: 0 },
      { name: 'proxy', role: 'sidecar', running: true, waiting: null, restarts: 0 },
      { name: 'main', role: 'main', running: true, waiting: null, restarts: 0 },
    ]);
    const prepared = await read('sided', startOptions({ container: 'prepare' }));
    expect(prepared.map(({ data }) => data.toString())).toEqual(['made ready\n']);
    const beside = await read('sided', startOptions({ container: 'proxy' }), 2);
    for (const { data } of beside) expect(data.toString()).toMatch(/^tick \d+\n$/);
  });

  check('reads the previous instance of a restarted container', async () => {
    await waitFor(() => (container('failing')?.restarts ?? 0) > 0, 'the restart', patience);
    // A failed container is removed when its successor fails. Then there is no log for a moment.
    let texts: string[] = [];
    const isRead = async (): Promise<boolean> => {
      const pieces = await read('failing', startOptions({ previous: true })).catch((error: unknown) => {
        if (error instanceof DomainError && error.code === 'log_unreadable') return undefined;
        throw error;
      });
      texts = (pieces ?? []).map(({ data }) => data.toString());
      return pieces !== undefined;
    };
    await waitFor(isRead, 'the log of the instance before', patience);
    expect(texts).toEqual(['it cannot go on\n']);
    await expect(read('talker', startOptions({ previous: true }))).rejects.toMatchObject({
      code: 'log_unreadable',
      message: expect.stringMatching(/previous terminated container .*not found\.$/) as unknown,
    });
  });

  check('reports why a container has not started', async () => {
    const why = (): string => container('not-started')?.waiting ?? '';
    await waitFor(
      () => /ImagePull/.test(why()),
      () => `an image that cannot be pulled (${why()})`,
      patience,
    );
    await expect(read('not-started', startOptions())).rejects.toMatchObject({
      code: 'log_unreadable',
      message: expect.stringContaining('is waiting to start') as unknown,
    });
    await expect(read('talker', startOptions({ container: 'unknown' }))).rejects.toMatchObject({
      code: 'log_unreadable',
      message: expect.stringContaining('container unknown is not valid') as unknown,
    });
  });

  check('ends without an error when its reader leaves or its pod is deleted', async () => {
    const leaving = new AbortController();
    let batches = 0;
    const talker = { namespace: NAMESPACE, name: 'talker' };
    for await (const batch of subject.logs.open(talker, startOptions(), leaving.signal)) {
      batches += batch.length;
      leaving.abort();
    }
    expect(batches).toBeGreaterThan(0);
    const until: LogPiece[] = [];
    const reading = (async (): Promise<void> => {
      const start = startOptions({ tail: 1 });
      for await (const batch of subject.logs.open(talker, start, AbortSignal.timeout(patience))) {
        until.push(...batch);
      }
    })();
    await waitFor(() => until.length > 0, 'its newest line', patience);
    await subject.resources.remove({ ...PODS, ...talker }, { gracePeriodSeconds: 1 });
    await reading;
    await waitFor(() => pod('talker') === undefined, 'the end of the pod', patience);
    await expect(read('talker', startOptions())).rejects.toMatchObject({ code: 'log_unreadable' });
  });

  check('resolves when its signal aborts', async () => {
    following.abort();
    expect(await followed).toBe('resolved');
    const before = tellings;
    await make(podObject('late', TALKS));
    expect(tellings).toBe(before);
  });

  function podObject(name: string, script: string): KubernetesObject {
    return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: NAMESPACE }, spec: spec(script) };
  }

  function spec(script: string): object {
    const main = { name: 'main', image: subject.image, command: ['sh', '-c', script] };
    return { containers: [main], terminationGracePeriodSeconds: 1 };
  }

  function deployment(): KubernetesObject {
    const labels = { app: 'many' };
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'many', namespace: NAMESPACE },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: spec(TALKS) },
      },
    };
  }
}
