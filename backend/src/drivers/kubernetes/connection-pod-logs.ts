import { asSentence, DomainError } from '../../core/errors/index.js';
import { parseJson } from '../../core/parsing/index.js';
import { receivedChunks, TimedLines, type LogPiece } from '../runtime/index.js';
import type { ApiResponse, ApiConnection } from './api-connection.js';
import { responseError, statusOf, unreachable } from './api-status.js';
import { toLoggedPod } from './logged-pod.js';
import { kubernetesObject } from './object-fields.js';
import { PodLogs, type LoggedPod, type PodLogStart, type PodScope } from './pod-logs.js';
import { PODS, PodWatch } from './pod-watch.js';
import type { PodName } from './resource-api.js';
import { objectPath } from './resource-paths.js';

const FIND_MS = 4000;
/** Messages with which a kubelet replaces a lost log, with status 200. */
const LOST = /^(unable to retrieve container logs for |failed to try resolving symlinks in path )/;

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
    scope?: PodScope,
  ): Promise<void> {
    const watch = new PodWatch(
      this.connection,
      (response) => responseError(response, { cluster: this.cluster, type: PODS }),
      onPods,
      scope,
    );
    try {
      await watch.follow(signal);
    } catch (error) {
      throw this.failure(error);
    }
  }

  override async find({ namespace, name }: PodName): Promise<LoggedPod> {
    const path = objectPath({ ...PODS, namespace, name });
    const response = await this.connection.send({ path, deadlineMs: FIND_MS }).catch((error: unknown) => {
      throw unreachable(this.cluster, error);
    });
    if (response.status !== 200) throw responseError(response, { cluster: this.cluster, type: PODS, name });
    const pod = kubernetesObject(parseJson(response.text));
    if (!pod) throw unreachable(this.cluster, new Error('it returned no Pod'));
    return toLoggedPod(pod);
  }

  override async *open(pod: PodName, start: PodLogStart, signal: AbortSignal): AsyncGenerator<LogPiece[]> {
    try {
      const stream = await this.connection.open(logPath(pod, start), signal);
      if (!('read' in stream)) throw this.refused(stream, pod, start);
      const lines = new TimedLines();
      let isFirst = true;
      for await (const chunks of receivedChunks(stream)) {
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

  private checkFirst({ data }: LogPiece, pod: PodName, start: PodLogStart): void {
    const said = data.toString('utf8', 0, 500).trim();
    if (LOST.test(said)) throw this.unreadable(pod, start, said);
  }

  /** 400: the container has not started, does not exist or has no previous instance. 404: the Pod does not exist. */
  private refused(response: ApiResponse, pod: PodName, start: PodLogStart): DomainError {
    if (response.status === 400 || response.status === 404) {
      return this.unreadable(pod, start, statusOf(response).message ?? '');
    }
    return responseError(response, { cluster: this.cluster, type: PODS, name: pod.name });
  }

  private unreadable({ namespace, name }: PodName, { container }: PodLogStart, reason: string): DomainError {
    return new DomainError(
      'log_unreadable',
      `Could not read the log of ${container} in Pod ${namespace}/${name} of cluster ${this.cluster}: ${asSentence(reason || 'the API server gave no reason')}`,
      { cluster: this.cluster, namespace, pod: name, container },
    );
  }

  private failure(error: unknown): DomainError {
    return error instanceof DomainError ? error : unreachable(this.cluster, error);
  }
}

function logPath(
  { namespace, name }: PodName,
  { container, previous, since, tail, follow = true }: PodLogStart,
): string {
  return objectPath(
    { ...PODS, namespace, name },
    {
      container,
      // A previous instance has ended.
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
