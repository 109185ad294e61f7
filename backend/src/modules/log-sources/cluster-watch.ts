import type { LoggedPod, PodContainer, PodLogs } from '../../drivers/kubernetes/index.js';
import type { LogPiece } from '../../drivers/runtime/index.js';
import { hasCode, reasonOf } from '../../core/errors/index.js';
import { isAborted } from '../../core/threads/index.js';
import type { LineSink } from './reading/line-sink.js';
import { LogReader, type FollowedLog } from './reading/log-reader.js';
import { Backlog } from './reading/backlog.js';
import { TailRegistry } from './tail-registry.js';
import { followLog, type Following } from './follow-log.js';
import type { SourceIdentity } from '../../drivers/log-store/index.js';
import { Backoff, DRAIN_MS, waitForRestart } from './backoff.js';
import type { SourceEntry } from './source-entry.js';
import { podIdentity } from './source-identity.js';
import { withoutStall } from './stalled-log.js';

const FIRST_TAIL = 1_000_000;
/** Previous instances that are kept per container: one that keeps crashing has many. */
const MAX_PREVIOUS = 5;
/** The API server responds some time after the nodes run. Until then, retries are frequent. */
const START_MS = 180_000;
const FIRST_RETRY_MS = 500;
const SECOND_RETRY_MS = 1000;
const NEWEST_TIMEOUT_MS = 5000;
/** The kubelet cannot read the log of an instance for a while when it removes the instance. */
const MAX_ATTEMPTS = 6;

type WatchedLogs = Pick<PodLogs, 'followPods' | 'open'>;

/** Follows the logs of the pods of one cluster as they appear and disappear. */
export class ClusterWatch {
  private readonly tails: TailRegistry;
  private present: Map<string, SourceEntry>;
  /** Restart count of the ended instance whose log was read completely, by key. */
  private readonly read = new Map<string, number>();
  /** The same for the previous instance, by the key of the current one. */
  private readonly previousRead = new Map<string, number>();
  /** Undefined until the cluster has listed them. */
  private pods: readonly LoggedPod[] | undefined;
  private logs: WatchedLogs | undefined;

  /** @param connect connects to the cluster. It may throw, and is called again whenever the connection breaks. */
  constructor(
    private readonly cluster: { runtime: string; cluster: string },
    private readonly connect: () => Promise<WatchedLogs>,
    private readonly following: Following & { sink: LineSink },
    private readonly signal: AbortSignal,
    private readonly times: { drainMs?: number; firstPauseMs?: number; startMs?: number } = {},
  ) {
    const { runtime: id, cluster: name } = cluster;
    // The first update marks pods that were deleted while the cluster was not watched.
    this.present = following.registry.findPresent(
      ({ kind, runtime, cluster: of }) => kind === 'pod' && runtime === id && of === name,
    );
    this.tails = new TailRegistry(signal, () => this.update());
    // Immediately: tails may take longer to stop than another watch needs to find the sources live again.
    signal.addEventListener('abort', () => this.markWaiting('The cluster is not running.'), { once: true });
  }

  async run(): Promise<void> {
    const began = performance.now();
    const { startMs = START_MS } = this.times;
    const soon = new Backoff(FIRST_RETRY_MS, SECOND_RETRY_MS);
    const later = new Backoff();
    while (!this.signal.aborted) {
      try {
        this.logs = await this.connect();
        await this.logs.followPods((pods) => {
          soon.reset();
          later.reset();
          this.pods = pods;
          this.update();
        }, this.signal);
      } catch {
        if (isAborted(this.signal)) break;
        // Each log has its own stream, which reports its own failures.
      }
      await (performance.now() - began < startMs ? soon : later).wait(this.signal);
    }
    await this.tails.settled();
  }

  /** Call it when a source was excluded or included. */
  intakeChanged(): void {
    this.update();
  }

  private markWaiting(reason: string): void {
    for (const entry of this.present.values()) {
      if (entry.state === 'live') this.following.registry.setState(entry, 'waiting', reason);
    }
  }

  private update(): void {
    const { logs, pods } = this;
    if (this.signal.aborted || !logs || !pods) return;
    const before = this.present;
    this.present = new Map();
    for (const pod of pods) for (const container of pod.containers) this.follow(logs, pod, container);
    for (const [key, entry] of before) if (!this.present.has(key)) this.markGone(key, entry);
  }

  private follow(logs: WatchedLogs, pod: LoggedPod, container: PodContainer): void {
    const { registry } = this.following;
    const identity = podIdentity(this.cluster, pod, container);
    const wasGone = registry.ofKey(identity.key)?.state === 'gone';
    const entry = registry.ensure(identity);
    const { key } = entry.identity;
    this.present.set(key, entry);
    if (registry.isExcluded(entry)) {
      this.tails.stop(key);
      registry.setState(entry, 'left_out', 'The source is excluded.');
      return;
    }
    this.followPrevious(logs, pod, container, entry);
    if (this.tails.has(key)) {
      // The tail that drains it continues.
      if (wasGone && container.running) registry.setState(entry, 'live');
      return;
    }
    if (container.running) this.read.delete(key);
    else if (container.startedAt === null) {
      registry.setState(entry, 'waiting', container.waiting ?? 'It has not been started.');
      return;
    } else if (this.read.get(key) === container.restarts) {
      if (entry.state !== 'failed') registry.setState(entry, 'ended', container.waiting);
      return;
    }
    this.tails.start(key, async (signal, monitor) => {
      const began = performance.now();
      const log = monitor.log(logOf(logs, pod, container.name, false));
      const complete = await followLog(
        this.following,
        entry,
        () => Promise.resolve(log),
        container.running,
        signal,
      );
      if (!container.running) {
        if (entry.state === 'gone') return;
        this.read.set(key, container.restarts);
        if (complete) registry.setState(entry, 'ended', container.waiting);
        return;
      }
      await waitForRestart(began, signal);
    });
  }

  /** Reads the log of the instance before the last restart once: the cluster keeps it until the next restart. */
  private followPrevious(
    logs: WatchedLogs,
    pod: LoggedPod,
    container: PodContainer,
    main: SourceEntry,
  ): void {
    if (container.restarts === 0) return;
    const { registry } = this.following;
    const identity = podIdentity(this.cluster, pod, container, container.restarts - 1);
    for (const entry of this.previousOf(main)) {
      if (entry.state === 'gone') {
        // The store forgets sources without lines.
        if (!this.isStored(entry)) continue;
        registry.setState(registry.ensure(entry.identity), 'ended');
      }
      this.present.set(entry.identity.key, entry);
    }
    const known = registry.ofKey(identity.key);
    if (known && this.isStored(known)) return;
    const isRead = this.previousRead.get(main.identity.key) === identity.previous;
    if (isRead || this.tails.has(identity.key)) return;
    if (known && registry.isExcluded(known)) return;
    const isPast = (): boolean => this.hasLinesSince(main, container.startedAt);
    this.tails.start(identity.key, async (signal, monitor) => {
      // The tail that followed the instance while it ended may still be reading it.
      await this.tails.idle(main.identity.key, this.drainMs, isPast, signal);
      const log = monitor.log(logOf(logs, pod, container.name, true));
      await this.readPrevious(log, identity, main, () => this.isUnchanged(pod, container), signal);
    });
  }

  /**
   * Stores the lines that the main source does not have. If the main source was followed while the instance ended, it
   * has them all, and no line is stored twice.
   * @param isCurrent whether this is still the previous instance: later, the cluster returns the log of another one
   */
  private async readPrevious(
    log: FollowedLog,
    identity: SourceIdentity,
    main: SourceEntry,
    isCurrent: () => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { registry, sink } = this.following;
    const backoff = new Backoff(this.times.firstPauseMs);
    const source = {
      find: () => registry.ofKey(identity.key)?.id,
      create: () => registry.ensure(identity).id,
      // Its lines may be in either source, and may have been deleted there.
      deletedAt: () => later(registry.deletedAt(identity.key), registry.deletedAt(main.identity.key)),
    };
    for (let attempt = 1; !signal.aborted && isCurrent(); attempt += 1) {
      // Lines that a failed attempt did not store are read again.
      const backlog = new Backlog(sink, main.id, source);
      try {
        await new LogReader(backlog).read(main.id, log, signal);
        await backlog.flush();
        this.notePreviousRead(main, identity);
        const entry = registry.ofKey(identity.key);
        if (entry) registry.setState(entry, main.state === 'gone' ? 'gone' : 'ended');
        await this.dropOldest(main);
        return;
      } catch (error) {
        if (isAborted(signal)) return;
        const unreadable = hasCode(error, 'log_unreadable');
        if (unreadable && attempt >= MAX_ATTEMPTS) {
          if (main.state === 'gone') return;
          this.notePreviousRead(main, identity);
          registry.setState(registry.ensure(identity), 'failed', reasonOf(error));
          await this.dropOldest(main);
          return;
        }
        await backoff.wait(signal);
      }
    }
  }

  /** Whether lines are stored that only the instance started at this time can have written. */
  private hasLinesSince(main: SourceEntry, startedAt: string | null): boolean {
    const last = this.following.sink.lastTime(main.id);
    // The time is in whole seconds, and the previous instance may have ended in the same second.
    return last !== null && startedAt !== null && last >= (Date.parse(startedAt) + 1000) * 1000;
  }

  private notePreviousRead({ state, identity: { key } }: SourceEntry, { previous }: SourceIdentity): void {
    if (state === 'gone' || previous === null) return;
    this.previousRead.set(key, previous);
  }

  private previousOf({ identity: { key } }: SourceEntry): SourceEntry[] {
    const base = `${key}/previous-`;
    return this.following.registry.all().filter(({ identity }) => identity.key.startsWith(base));
  }

  private async dropOldest(main: SourceEntry): Promise<void> {
    const newestFirst = this.previousOf(main).sort(
      (one, other) => (other.identity.previous ?? 0) - (one.identity.previous ?? 0),
    );
    for (const entry of newestFirst.slice(MAX_PREVIOUS)) await this.following.registry.drop(entry);
  }

  private isUnchanged({ uid }: LoggedPod, { name, restarts }: PodContainer): boolean {
    const pod = this.pods?.find((one) => one.uid === uid);
    return pod?.containers.find((one) => one.name === name)?.restarts === restarts;
  }

  private get drainMs(): number {
    return this.times.drainMs ?? DRAIN_MS;
  }

  /** Whether lines of a previous instance are stored. It has ended, so they are complete. */
  private isStored(entry: SourceEntry): boolean {
    return this.following.registry.present(entry).next_seq > 1;
  }

  private markGone(key: string, entry: SourceEntry): void {
    this.following.registry.setState(entry, 'gone');
    this.read.delete(key);
    this.previousRead.delete(key);
    // Its last lines may not have arrived yet.
    this.tails.stopWhenIdle(key, this.drainMs, () => this.present.has(key));
  }
}

function logOf(logs: WatchedLogs, pod: LoggedPod, container: string, previous: boolean): FollowedLog {
  return {
    wholeSecondTimes: false,
    firstTail: FIRST_TAIL,
    open: (start, signal) => {
      const open = (aborted: AbortSignal): AsyncIterable<LogPiece[]> =>
        logs.open(pod, { container, previous, ...start }, aborted);
      if (previous) return open(signal);
      const newest = (aborted: AbortSignal): Promise<number | null> =>
        newestOf(logs, pod, container, aborted);
      return withoutStall({ open, newest, since: start.since }, signal);
    },
  };
}

/** Time of the newest line of a container; null if it has none. @throws what the log throws */
async function newestOf(
  logs: WatchedLogs,
  pod: LoggedPod,
  container: string,
  signal: AbortSignal,
): Promise<number | null> {
  const start = { container, previous: false, since: null, tail: 1, follow: false };
  const withTimeout = AbortSignal.any([signal, AbortSignal.timeout(NEWEST_TIMEOUT_MS)]);
  let newest: number | null = null;
  for await (const pieces of logs.open(pod, start, withTimeout)) newest = pieces.at(-1)?.time ?? newest;
  return newest;
}

function later(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
