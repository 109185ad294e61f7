import { Readable } from 'node:stream';
import { DemoLog, followDemoLog, type DemoEntry } from '../logs/demo-log.js';
import { podScript } from '../logs/log-script.js';
import type { ResourcePath } from './api-path.js';
import type { ClusterState } from './cluster-state.js';
import { programOf } from './controllers/programs.js';
import type { Reading } from './reading.js';
import type { Container, ContainerState, ContainerStatus, Pod } from './shapes.js';
import { ApiFailure, badRequest } from './status.js';

/** One start of a container: what it said is its log. */
interface Instance {
  startedAt: string;
  /** Null while it runs. */
  finishedAt: string | null;
}

interface Question {
  follow: boolean;
  timestamps: boolean;
  /** Microseconds since the epoch. */
  since: number | null;
  tail: number;
}

/** `…/log` of pods: what their containers would have written, as the API server and a kubelet hand it on. */
export class PodLog {
  private readonly open = new Set<Readable>();

  constructor(
    private readonly state: ClusterState,
    private readonly reading: Reading,
  ) {}

  /** Breaks every log that is followed, as the end of the server does. */
  breakAll(error: Error): void {
    for (const stream of [...this.open]) stream.destroy(error);
  }

  /** @throws ApiFailure 400, 404, 500 */
  read(path: ResourcePath, query: URLSearchParams, signal: AbortSignal): Readable {
    const pod = this.reading.find(path) as Pod;
    const container = containerOf(pod, query.get('container') ?? '');
    const instance = instanceOf(pod, container, query.get('previous') === 'true');
    this.askNode(pod);
    const own = new AbortController();
    const ending = AbortSignal.any([signal, own.signal]);
    const lines = this.lines(pod, container, instance, questionOf(query), ending);
    const stream = Readable.from(lines, { objectMode: false });
    const abort = (): void => void stream.destroy(new Error('aborted'));
    signal.addEventListener('abort', abort, { once: true });
    this.open.add(stream);
    stream.once('close', () => {
      own.abort();
      signal.removeEventListener('abort', abort);
      this.open.delete(stream);
    });
    return stream;
  }

  private async *lines(
    pod: Pod,
    container: Container,
    { startedAt, finishedAt }: Instance,
    { follow, timestamps, since, tail }: Question,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    const script = podScript({
      name: container.name,
      image: container.image ?? '',
      command: [...(container.command ?? []), ...(container.args ?? [])].join(' '),
      ends: programOf(container, pod).seconds !== null,
    });
    const seed = `${pod.metadata.uid}/${container.name}`;
    const log = new DemoLog(script, Date.parse(startedAt), seed, this.state.machine.speed);
    const text = (entries: readonly DemoEntry[]): string[] =>
      entries.flatMap((entry) => linesOf(entry, timestamps));
    const until = finishedAt === null ? Date.now() * 1000 : Date.parse(finishedAt) * 1000;
    // What ended at once said at least what it has to say at its start.
    const end =
      finishedAt === null ? log.countUntil(until) : Math.max(log.countUntil(until), script.start.length);
    const begin = since === null ? 0 : log.countUntil(since - 1);
    const most = Math.min(tail, 2000);
    const past = most === 0 ? [] : text(log.entries(Math.max(begin, end - most), end)).slice(-most);
    if (past.length > 0) yield Buffer.from(past.join(''));
    if (!follow || finishedAt !== null) return;
    const reading = {
      signal,
      isRunning: () => this.isRunning(pod, container.name, startedAt),
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

  private isRunning(pod: Pod, container: string, startedAt: string): boolean {
    const current = this.state.current<Pod>('pods', pod);
    return statusesOf(current).some(
      ({ name, state }) => name === container && state?.running?.startedAt === startedAt,
    );
  }

  /** The API server asks the pod's node, which may not answer. */
  private askNode({ spec }: Pod): void {
    const node = this.state.machine.nodes().find(({ name }) => name === spec?.nodeName);
    if (node?.state === 'running') return;
    throw new ApiFailure(
      500,
      'InternalError',
      `Get "https://${node?.address ?? spec?.nodeName ?? ''}:10250/containerLogs": dial tcp: connect: no route to host`,
    );
  }
}

function containerOf({ metadata, spec }: Pod, asked: string): Container {
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  if (asked === '') {
    const [only, ...more] = spec?.containers ?? [];
    if (only && more.length === 0) return only;
    const names = containers.map(({ name }) => name).join(' ');
    throw badRequest(
      `a container name must be specified for pod ${metadata.name}, choose one of: [${names}]`,
    );
  }
  const found = containers.find(({ name }) => name === asked);
  if (!found) throw badRequest(`container ${asked} is not valid for pod ${metadata.name}`);
  return found;
}

function instanceOf(pod: Pod, { name }: Container, previous: boolean): Instance {
  const status = statusesOf(pod).find((candidate) => candidate.name === name);
  const { state = {}, lastState = {} } = status ?? {};
  const isWaiting = !state.running && !state.terminated;
  const found = previous ? ended(lastState) : (running(state) ?? ended(state) ?? ended(lastState));
  if (found) return found;
  if (previous || !isWaiting) {
    throw badRequest(`previous terminated container "${name}" in pod "${pod.metadata.name}" not found`);
  }
  const reason = state.waiting?.reason ?? 'PodInitializing';
  const why = /ImagePull/.test(reason) ? 'trying and failing to pull image' : reason;
  throw badRequest(`container "${name}" in pod "${pod.metadata.name}" is waiting to start: ${why}`);
}

function running({ running: found }: ContainerState): Instance | undefined {
  return found?.startedAt === undefined ? undefined : { startedAt: found.startedAt, finishedAt: null };
}

function ended({ terminated }: ContainerState): Instance | undefined {
  if (terminated?.startedAt === undefined) return undefined;
  return { startedAt: terminated.startedAt, finishedAt: terminated.finishedAt ?? terminated.startedAt };
}

function statusesOf(pod: Pod | undefined): ContainerStatus[] {
  return [...(pod?.status?.initContainerStatuses ?? []), ...(pod?.status?.containerStatuses ?? [])];
}

/** @throws ApiFailure 400 */
function questionOf(query: URLSearchParams): Question {
  const tail = query.get('tailLines');
  if (tail !== null && !/^\d+$/.test(tail)) {
    throw badRequest(`tailLines: Invalid value: ${JSON.stringify(tail)}: must be greater than or equal to 0`);
  }
  const since = query.get('sinceTime');
  if (since !== null && Number.isNaN(Date.parse(since))) {
    throw badRequest(`parsing time ${JSON.stringify(since)} as "2006-01-02T15:04:05Z07:00": cannot parse`);
  }
  return {
    follow: query.get('follow') === 'true',
    timestamps: query.get('timestamps') === 'true',
    // A kubelet is asked in whole seconds.
    since: since === null ? null : Math.floor(Date.parse(since) / 1000) * 1e6,
    tail: tail === null ? Number.MAX_SAFE_INTEGER : Number(tail),
  };
}

function linesOf({ time, lines }: DemoEntry, timestamps: boolean): string[] {
  return lines.map((line, index) => `${timestamps ? `${nanoTime(time + index)} ` : ''}${line}\n`);
}

/** `2026-11-22T13:35:05.123456000Z` */
function nanoTime(micros: number): string {
  const second = new Date(Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19);
  return `${second}.${String(micros % 1e6).padStart(6, '0')}000Z`;
}
