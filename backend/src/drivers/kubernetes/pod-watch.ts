import { setTimeout as delay } from 'node:timers/promises';
import { guarded } from '../../core/errors/index.js';
import { parseJson } from '../../core/parsing/index.js';
import type { ApiResponse, ApiConnection } from './api-connection.js';
import { toLoggedPod } from './logged-pod.js';
import { kubernetesObject, objectPage, resourceVersionOf } from './object-fields.js';
import type { LoggedPod, PodScope } from './pod-logs.js';
import type { TypeName } from './resource-api.js';
import { listPath } from './resource-paths.js';
import { watchEvents } from './watch-events.js';

export const PODS: TypeName = { group: '', version: 'v1', plural: 'pods' };
const PAGE = 500;
const LIST_DEADLINE_MS = 15_000;
const REPORT_MS = 100;
/** Minimum interval of watches, for a server that ends them immediately. */
const MIN_WATCH_MS = 1000;

/** Follows the Pods of a cluster. Keeps only the fields it reports, since Pods are large objects. */
export class PodWatch {
  private pods = new Map<string, LoggedPod>();
  private resourceVersion = '';
  private reportedAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  /** Ends the watch if what it reports cannot be processed. */
  private readonly failed = new AbortController();

  constructor(
    private readonly connection: ApiConnection,
    private readonly toError: (response: ApiResponse) => Error,
    private readonly onPods: (pods: readonly LoggedPod[]) => void,
    private readonly scope?: PodScope,
  ) {}

  /** Runs until the signal aborts. @throws Error if the connection breaks or the server rejects a request. */
  async follow(signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.failed.signal]);
    try {
      await this.list(signal);
      while (!signal.aborted) {
        const startedAt = performance.now();
        const { resourceVersion } = this;
        const ending = await watchEvents(
          this.connection,
          {
            type: PODS,
            resourceVersion,
            signal: either,
            ...(this.scope && { namespace: this.scope.namespace, query: selectorOf(this.scope) }),
          },
          (type, object) => this.change(type, object, signal),
          this.toError,
        );
        this.failed.signal.throwIfAborted();
        const rest = MIN_WATCH_MS - (performance.now() - startedAt);
        if (rest > 0) await delay(rest, undefined, { signal });
        if (ending === 'expired') await this.list(signal);
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
      const path = listPath(PODS, this.scope?.namespace, {
        limit: PAGE,
        continue: token,
        ...selectorOf(this.scope),
      });
      const response = await this.connection.send({ path, signal, deadlineMs: LIST_DEADLINE_MS });
      if (response.status !== 200) throw this.toError(response);
      const page = objectPage(parseJson(response.text));
      for (const pod of page.objects.map(toLoggedPod)) found.set(pod.uid, pod);
      token = page.continue;
      this.resourceVersion = page.resourceVersion ?? '';
    } while (token);
    this.pods = found;
    this.report(signal);
  }

  private change(type: string, changed: unknown, signal: AbortSignal): void {
    // A bookmark has no name.
    this.resourceVersion = resourceVersionOf(changed) ?? this.resourceVersion;
    const object = kubernetesObject(changed);
    if (type === 'BOOKMARK' || !object) return;
    const pod = toLoggedPod(object);
    if (type === 'DELETED') {
      if (!this.pods.delete(pod.uid)) return;
    } else {
      // Most changes of a Pod are changes of its conditions, which are not reported.
      if (JSON.stringify(this.pods.get(pod.uid)) === JSON.stringify(pod)) return;
      this.pods.set(pod.uid, pod);
    }
    this.report(signal);
  }

  private report(signal: AbortSignal): void {
    if (this.timer) return;
    const wait = this.reportedAt + REPORT_MS - performance.now();
    if (wait > 0) {
      const fail = (error: unknown): void => this.failed.abort(error);
      const report = guarded(() => {
        this.timer = undefined;
        this.report(signal);
      }, fail);
      this.timer = setTimeout(report, wait);
      return;
    }
    this.reportedAt = performance.now();
    if (!signal.aborted) this.onPods([...this.pods.values()]);
  }
}

function selectorOf(scope: PodScope | undefined): Record<string, string> {
  const selector = scope?.selector ?? null;
  return selector === null ? {} : { labelSelector: selector };
}
