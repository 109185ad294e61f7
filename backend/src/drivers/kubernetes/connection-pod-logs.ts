import { asSentence, DomainError } from '../../core/errors/index.js';
import { receivedChunks, TimedLines, type LogPiece } from '../runtime/index.js';
import type { ApiResponse, ApiConnection } from './api-connection.js';
import { refusal, statusOf, unreachable } from './api-status.js';
import { toLoggedPod, type PodObject } from './logged-pod.js';
import { PodLogs, type LoggedPod, type PodLogStart } from './pod-logs.js';
import { PODS, PodWatch } from './pod-watch.js';
import { objectPath } from './resource-paths.js';

const FIND_MS = 4000;
/** What a kubelet says in place of a log that it has lost, in an answer of status 200. */
const LOST = /^(unable to retrieve container logs for |failed to try resolving symlinks in path )/;

/** What the pods of the cluster at the other end of a connection write. */
export class ConnectionPodLogs extends PodLogs {
  constructor(
    private readonly cluster: string,
    private readonly connection: ApiConnection,
  ) {
    super();
  }

  override async followPods(
    onPods: (pods: readonly LoggedPod[]) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const watch = new PodWatch(
      this.connection,
      (answer) => refusal(answer, { cluster: this.cluster, type: PODS }),
      onPods,
    );
    try {
      await watch.follow(signal);
    } catch (error) {
      throw this.failure(error);
    }
  }

  override async find({ namespace, name }: Pick<LoggedPod, 'namespace' | 'name'>): Promise<LoggedPod> {
    const path = objectPath({ ...PODS, namespace, name });
    const answer = await this.connection.send({ path, deadlineMs: FIND_MS }).catch((error: unknown) => {
      throw unreachable(this.cluster, error);
    });
    if (answer.status !== 200) throw refusal(answer, { cluster: this.cluster, type: PODS, name });
    return toLoggedPod(JSON.parse(answer.text) as PodObject);
  }

  override async *open(
    pod: Pick<LoggedPod, 'namespace' | 'name'>,
    start: PodLogStart,
    signal: AbortSignal,
  ): AsyncGenerator<LogPiece[]> {
    try {
      const stream = await this.connection.open(logPath(pod, start), signal);
      if (!('read' in stream)) throw this.refused(stream, pod, start);
      const lines = new TimedLines();
      let isFirst = true;
      for await (const chunks of receivedChunks(stream)) {
        // What came since concerns nobody.
        if (signal.aborted) return;
        const pieces: LogPiece[] = [];
        for (const chunk of chunks) lines.push(chunk, pieces);
        if (isFirst && pieces[0]) this.checkFirst(pieces[0], pod, start);
        isFirst &&= pieces.length === 0;
        if (pieces.length > 0) yield pieces;
      }
      const last: LogPiece[] = [];
      lines.end(last);
      if (isFirst && last[0]) this.checkFirst(last[0], pod, start);
      if (last.length > 0) yield last;
    } catch (error) {
      if (signal.aborted) return;
      throw this.failure(error);
    }
  }

  private checkFirst(
    { data }: LogPiece,
    pod: Pick<LoggedPod, 'namespace' | 'name'>,
    start: PodLogStart,
  ): void {
    const said = data.toString('utf8', 0, 500).trim();
    if (LOST.test(said)) throw this.unreadable(pod, start, said);
  }

  /** 400: it has not begun, there is no such container, no previous instance. 404: the pod is gone. */
  private refused(
    answer: ApiResponse,
    pod: Pick<LoggedPod, 'namespace' | 'name'>,
    start: PodLogStart,
  ): DomainError {
    if (answer.status === 400 || answer.status === 404) {
      return this.unreadable(pod, start, statusOf(answer).message ?? '');
    }
    return refusal(answer, { cluster: this.cluster, type: PODS, name: pod.name });
  }

  private unreadable(
    { namespace, name }: Pick<LoggedPod, 'namespace' | 'name'>,
    { container }: PodLogStart,
    reason: string,
  ): DomainError {
    return new DomainError(
      'log_unreadable',
      `The log of ${container} in the pod ${namespace}/${name} of cluster ${this.cluster} cannot be read: ${asSentence(reason || 'the API server gives no reason')}`,
      { cluster: this.cluster, namespace, pod: name, container },
    );
  }

  private failure(error: unknown): DomainError {
    return error instanceof DomainError ? error : unreachable(this.cluster, error);
  }
}

function logPath(
  { namespace, name }: Pick<LoggedPod, 'namespace' | 'name'>,
  { container, previous, since, tail, follow = true }: PodLogStart,
): string {
  return objectPath(
    { ...PODS, namespace, name },
    {
      container,
      // A previous instance writes no more.
      ...(previous ? { previous: true } : { follow }),
      timestamps: true,
      tailLines: tail,
      sinceTime: since === null ? undefined : wholeSecond(since),
    },
    'log',
  );
}

function wholeSecond(micros: number): string {
  return `${new Date(Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19)}Z`;
}
