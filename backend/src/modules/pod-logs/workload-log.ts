import { reasonOf } from '../../core/errors/index.js';
import type { LoggedPod, PodContainer } from '../../drivers/kubernetes/index.js';
import type { LineBatch } from './bounded-backlog.js';
import type { DeletedLog } from './deleted-pods.js';
import { eventsOf } from './line-events.js';
import type { PodLogEvent, WorkloadLogSource } from './pod-logs.dto.js';

/** Each log keeps a connection to the API server open. */
export const MAX_PODS = 20;

interface Followed {
  source: WorkloadLogSource;
  /** The state that was sent last. */
  sent: string;
  container: PodContainer;
  /** The instance whose log is or was read. */
  instance: string | undefined;
  isReading: boolean;
}

export interface WorkloadLogHooks {
  open: (pod: string, container: string) => AsyncIterable<LineBatch>;
  /** Resolves when the client can take more. */
  send: (text: string) => Promise<void>;
}

/**
 * Merges the logs of the containers of a workload as its Pods appear and disappear. Init containers are left out: their
 * Pod shows them.
 */
export class WorkloadLog {
  private readonly followed = new Map<string, Followed>();
  private present: ReadonlySet<string> = new Set();
  private sentCount = '';
  private sources = 0;

  constructor(private readonly hooks: WorkloadLogHooks) {}

  /** Call it with all Pods of the workload whenever one changes. */
  update(pods: readonly LoggedPod[]): void {
    // A Pod that is followed stays so, also if others appear.
    const rank = ({ uid }: LoggedPod): number => (this.present.has(uid) ? 0 : 1);
    const shown = pods.toSorted((one, other) => rank(one) - rank(other)).slice(0, MAX_PODS);
    this.present = new Set(shown.map(({ uid }) => uid));
    const count: PodLogEvent = { type: 'pods', count: pods.length, followed: shown.length };
    this.sentCount = this.sendChange(count, this.sentCount);
    const keys = new Set<string>();
    for (const pod of shown) {
      const containers = pod.containers.filter(({ role }) => role !== 'init');
      for (const container of containers) {
        const key = `${pod.uid}/${container.name}`;
        keys.add(key);
        this.follow(key, pod.name, container, containers.length > 1);
      }
    }
    for (const [key, each] of this.followed) {
      if (!keys.has(key)) this.report(each, { gone: true, waiting: null, problem: null });
    }
  }

  /** Adds what is stored of Pods that were deleted before. */
  async addDeleted(logs: readonly DeletedLog[]): Promise<void> {
    for (const { pod, container, lines } of logs) {
      const shared = logs.some((other) => other.pod === pod && other.container !== container);
      const source = { ...this.newSource(pod, container), shared, gone: true };
      this.sendChange({ type: 'source', ...source }, '');
      await this.hooks.send(eventsOf({ omitted: 0, lines }, source.source));
    }
  }

  private newSource(pod: string, container: string): WorkloadLogSource {
    const source = this.sources;
    this.sources += 1;
    return { source, pod, container, shared: false, waiting: null, gone: false, problem: null };
  }

  private follow(key: string, pod: string, container: PodContainer, shared: boolean): void {
    let each = this.followed.get(key);
    if (!each) {
      each = {
        source: this.newSource(pod, container.name),
        sent: '',
        container,
        instance: undefined,
        isReading: false,
      };
      this.followed.set(key, each);
    }
    each.container = container;
    this.report(each, { shared, waiting: container.waiting, gone: false });
    void this.read(each);
  }

  /** Reads the log of the current instance to its end, then that of a later one. */
  private async read(each: Followed): Promise<void> {
    while (!each.isReading && each.container.startedAt !== null) {
      const instance = `${each.container.restarts} ${each.container.startedAt}`;
      if (instance === each.instance) return;
      each.instance = instance;
      each.isReading = true;
      this.report(each, { problem: null });
      const { source, pod, container } = each.source;
      try {
        for await (const batch of this.hooks.open(pod, container)) {
          await this.hooks.send(eventsOf(batch, source));
        }
      } catch (error) {
        if (!each.source.gone) this.report(each, { problem: reasonOf(error) });
      }
      each.isReading = false;
    }
  }

  private report(each: Followed, state: Partial<WorkloadLogSource>): void {
    Object.assign(each.source, state);
    each.sent = this.sendChange({ type: 'source', ...each.source }, each.sent);
  }

  private sendChange(event: PodLogEvent, before: string): string {
    const text = `${JSON.stringify(event)}\n`;
    // It fails only if the client has left, which also ends the log.
    if (text !== before) this.hooks.send(text).catch(() => undefined);
    return text;
  }
}
