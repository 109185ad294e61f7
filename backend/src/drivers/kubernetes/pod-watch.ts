import { setTimeout as delay } from 'node:timers/promises';
import type { ApiResponse, ApiConnection } from './api-connection.js';
import type { ApiStatus } from './api-status.js';
import { toLoggedPod, type PodObject } from './logged-pod.js';
import type { LoggedPod } from './pod-logs.js';
import type { TypeName } from './resource-api.js';
import { listPath } from './resource-paths.js';

export const PODS: TypeName = { group: '', version: 'v1', plural: 'pods' };
const PAGE = 500;
const LIST_DEADLINE_MS = 15_000;
/** The server ends a watch after this; one that has lost it unnoticed is not believed for longer. */
const ENDS_AFTER_SECONDS = 300;
/** Between two tellings, however much changes. */
const TELL_EVERY_MS = 100;
/** A server that ends its watches at once is not asked again at once. */
const SHORTEST_WATCH_MS = 1000;

interface PodList {
  metadata?: { resourceVersion?: string; continue?: string };
  items?: PodObject[] | null;
}

interface WatchEvent {
  type?: string;
  object?: PodObject & ApiStatus;
}

/** Keeps what is known of all pods of a cluster, and nothing else of them: their objects are large. */
export class PodWatch {
  private pods = new Map<string, LoggedPod>();
  private resourceVersion = '';
  private toldAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connection: ApiConnection,
    private readonly refusal: (answer: ApiResponse) => Error,
    private readonly onPods: (pods: readonly LoggedPod[]) => void,
  ) {}

  /** Resolves once the signal is given. @throws Error where the connection breaks, or the server refuses. */
  async follow(signal: AbortSignal): Promise<void> {
    try {
      await this.list(signal);
      while (!signal.aborted) {
        const began = performance.now();
        const expired = await this.watch(signal);
        const rest = SHORTEST_WATCH_MS - (performance.now() - began);
        if (rest > 0) await delay(rest, undefined, { signal });
        if (expired) await this.list(signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      clearTimeout(this.timer);
    }
  }

  private async list(signal: AbortSignal): Promise<void> {
    const found = new Map<string, LoggedPod>();
    let token: string | undefined;
    do {
      const path = listPath(PODS, undefined, { limit: PAGE, continue: token });
      const answer = await this.connection.send({ path, signal, deadlineMs: LIST_DEADLINE_MS });
      if (answer.status !== 200) throw this.refusal(answer);
      const { metadata, items } = JSON.parse(answer.text) as PodList;
      for (const item of items ?? []) {
        const pod = toLoggedPod(item);
        found.set(pod.uid, pod);
      }
      token = metadata?.continue;
      this.resourceVersion = metadata?.resourceVersion ?? '';
    } while (token);
    this.pods = found;
    this.tell(signal);
  }

  /** @returns whether what is known is too old to go on from. */
  private async watch(signal: AbortSignal): Promise<boolean> {
    const own = new AbortController();
    let failure: ApiStatus | undefined;
    const answer = await this.connection.stream({
      path: listPath(PODS, undefined, {
        watch: 'true',
        allowWatchBookmarks: 'true',
        resourceVersion: this.resourceVersion,
        timeoutSeconds: ENDS_AFTER_SECONDS,
      }),
      signal: AbortSignal.any([signal, own.signal]),
      onLine: (line) => {
        if (failure || signal.aborted) return;
        const { type, object } = JSON.parse(line) as WatchEvent;
        if (type === 'ERROR') {
          failure = object ?? {};
          own.abort();
        } else if (object) this.change(type, object, signal);
      },
    });
    if (signal.aborted) return false;
    if (answer.status === 410 || failure?.code === 410) return true;
    if (answer.status !== 200) throw this.refusal(answer);
    if (failure) {
      throw this.refusal({
        status: failure.code ?? 500,
        text: JSON.stringify({ kind: 'Status', ...failure }),
      });
    }
    return false;
  }

  private change(type: string | undefined, object: PodObject, signal: AbortSignal): void {
    this.resourceVersion = object.metadata.resourceVersion ?? this.resourceVersion;
    if (type === 'BOOKMARK') return;
    const pod = toLoggedPod(object);
    if (type === 'DELETED') {
      if (!this.pods.delete(pod.uid)) return;
    } else {
      // Most changes of a pod are of its conditions, which are nobody's affair here.
      if (JSON.stringify(this.pods.get(pod.uid)) === JSON.stringify(pod)) return;
      this.pods.set(pod.uid, pod);
    }
    this.tell(signal);
  }

  /** At once after a while of quiet, and then what has gathered. */
  private tell(signal: AbortSignal): void {
    if (this.timer) return;
    const wait = this.toldAt + TELL_EVERY_MS - performance.now();
    if (wait > 0) {
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.tell(signal);
      }, wait);
      return;
    }
    this.toldAt = performance.now();
    if (!signal.aborted) this.onPods([...this.pods.values()]);
  }
}
