import { Readable } from 'node:stream';
import { DemoLog, followDemoLog, type DemoEntry } from '../logs/demo-log.js';
import { podScript } from '../logs/log-script.js';
import type { ResourcePath } from './api-path.js';
import type { ClusterState } from './cluster-state.js';
import { programOf } from './controllers/programs.js';
import type { Reading } from './reading.js';
import type { Container, ContainerStatus, Pod } from './shapes.js';
import { ApiFailure, badRequest } from './status.js';

/** One run of a container. */
interface Run {
  startedAt: string;
  /** Missing while it runs. */
  finishedAt?: string;
}

const MAX_LINES = 2000;

/** `…/log` of pods. */
export class PodLog {
  private readonly open = new Set<Readable>();

  constructor(
    private readonly state: ClusterState,
    private readonly reading: Reading,
  ) {}

  /** Breaks all followed logs, as when the server stops. */
  breakAll(error: Error): void {
    for (const stream of [...this.open]) stream.destroy(error);
  }

  /** @throws ApiFailure 400, 404, 500 */
  read(path: ResourcePath, query: URLSearchParams, signal: AbortSignal): Readable {
    const pod = this.reading.find(path) as Pod;
    const container = containerOf(pod, query.get('container'));
    const run = runOf(pod, container, query.get('previous') === 'true');
    this.checkNode(pod);
    const closed = new AbortController();
    const lines = this.lines(pod, container, run, query, AbortSignal.any([signal, closed.signal]));
    const stream = Readable.from(lines, { objectMode: false });
    const abort = (): void => void stream.destroy(new Error('aborted'));
    signal.addEventListener('abort', abort, { once: true });
    this.open.add(stream);
    stream.once('close', () => {
      closed.abort();
      signal.removeEventListener('abort', abort);
      this.open.delete(stream);
    });
    return stream;
  }

  /** The Pod of a container that runs. @throws ApiFailure 400, 404, 500 */
  running(path: ResourcePath, container: string | null): Pod {
    const pod = this.reading.find(path) as Pod;
    const { name } = containerOf(pod, container);
    this.checkNode(pod);
    if (statusesOf(pod).some((status) => status.name === name && status.state?.running)) return pod;
    throw badRequest(`container ${name} of pod ${pod.metadata.name} is not running`);
  }

  private async *lines(
    pod: Pod,
    container: Container,
    { startedAt, finishedAt }: Run,
    query: URLSearchParams,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    const { name, image = '', command = [], args = [] } = container;
    const ends = programOf(container, pod).seconds !== null;
    const script = podScript({ name, image, command: [...command, ...args].join(' '), ends });
    const log = new DemoLog(
      script,
      Date.parse(startedAt),
      `${pod.metadata.uid}/${name}`,
      this.state.machine.speed,
    );
    const timestamps = query.get('timestamps') === 'true';
    const text = (entries: readonly DemoEntry[]): string[] =>
      entries.flatMap((entry) => linesOf(entry, timestamps));
    const until = log.countUntil(Date.parse(finishedAt ?? new Date().toISOString()) * 1000);
    // A program that ended at once has written its first lines.
    const end = finishedAt === undefined ? until : Math.max(until, script.start.length);
    const since = query.get('sinceTime');
    // Kubelets compare in whole seconds.
    const first = since === null ? 0 : log.countUntil(Math.floor(Date.parse(since) / 1000) * 1e6 - 1);
    const tail = Math.min(Number(query.get('tailLines') ?? MAX_LINES), MAX_LINES);
    const past = tail === 0 ? [] : text(log.entries(Math.max(first, end - tail), end)).slice(-tail);
    if (past.length > 0) yield Buffer.from(past.join(''));
    if (query.get('follow') !== 'true' || finishedAt !== undefined) return;
    const reading = {
      signal,
      isRunning: () =>
        statusesOf(this.state.current<Pod>('pods', pod)).some(
          (status) => status.name === name && status.state?.running?.startedAt === startedAt,
        ),
      onChange: (listener: () => void) => {
        const unfollow = this.state.timeline.follow();
        const unsubscribe = this.state.store.subscribe(({ type, object }) => {
          if (type === 'pods' && object.metadata.uid === pod.metadata.uid) listener();
        });
        return () => {
          unsubscribe();
          unfollow();
        };
      },
    };
    for await (const entries of followDemoLog(log, end, reading)) yield Buffer.from(text(entries).join(''));
  }

  /** The API server reads logs from the kubelet, which fails while the node is down. */
  private checkNode({ spec }: Pod): void {
    const node = this.state.machine.nodes().find(({ name }) => name === spec?.nodeName);
    if (node?.state === 'running') return;
    const url = `https://${node?.address ?? spec?.nodeName}:10250/containerLogs`;
    throw new ApiFailure(500, 'InternalError', `Get "${url}": dial tcp: connect: no route to host`);
  }
}

function containerOf({ metadata, spec }: Pod, wanted: string | null): Container {
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const name = wanted ?? (spec?.containers?.length === 1 ? spec.containers[0]?.name : undefined);
  const found = containers.find((container) => container.name === name);
  if (!found) throw badRequest(`container ${name} is not valid for pod ${metadata.name}`);
  return found;
}

function runOf(pod: Pod, { name }: Container, previous: boolean): Run {
  const { state, lastState } = statusesOf(pod).find((status) => status.name === name) ?? {};
  const run = previous
    ? lastState?.terminated
    : (state?.running ?? state?.terminated ?? lastState?.terminated);
  if (run?.startedAt !== undefined) return { ...run, startedAt: run.startedAt };
  const where = `container "${name}" in pod "${pod.metadata.name}"`;
  if (previous) throw badRequest(`previous terminated ${where} not found`);
  const reason = state?.waiting?.reason ?? 'PodInitializing';
  const why = reason.includes('ImagePull') ? 'trying and failing to pull image' : reason;
  throw badRequest(`${where} is waiting to start: ${why}`);
}

function statusesOf(pod: Pod | undefined): ContainerStatus[] {
  return [...(pod?.status?.initContainerStatuses ?? []), ...(pod?.status?.containerStatuses ?? [])];
}

function linesOf({ time, lines }: DemoEntry, timestamps: boolean): string[] {
  return lines.map((line, index) => `${timestamps ? `${nanoTime(time + index)} ` : ''}${line}\n`);
}

/** `2026-11-22T13:35:05.123456000Z` */
function nanoTime(micros: number): string {
  const second = new Date(Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19);
  return `${second}.${String(micros % 1e6).padStart(6, '0')}000Z`;
}
