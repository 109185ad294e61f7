import { setTimeout as delay } from 'node:timers/promises';
import type { LoggedPod, PodContainer, PodLogs } from '../../drivers/kubernetes/index.js';
import type { LogPiece } from '../../drivers/runtime/index.js';
import { DomainError, reasonOf } from '../../core/errors/index.js';
import type { StoredLines } from './reading/line-sink.js';
import { LogReader, type FollowedLog } from './reading/log-reader.js';
import { Backlog } from './reading/backlog.js';
import { TailRegistry } from './tail-registry.js';
import { followLog, type Following } from './follow-log.js';
import type { SourceIdentity } from '../../drivers/log-store/index.js';
import { isOver } from './is-over.js';
import { Pause } from './pause.js';
import type { SourceEntry } from './source-entry.js';
import { podIdentity } from './source-identity.js';
import { withoutStall } from './stalled-log.js';

const FIRST_TAIL = 1_000_000;
/** Instances before the one that runs that are kept of one container, the newest: one that crashes on and on has many. */
const MOST_PREVIOUS = 5;
/** A log that ended sooner than this is not begun again before. */
const SHORTEST_MS = 500;
const LAST_WORDS_MS = 2000;
/** A cluster answers some time after its nodes run. Its pods are not to come much later than it does. */
const START_MS = 180_000;
const SOON_MS = 500;
const SOON_AT_LAST_MS = 1000;
const NEWEST_MS = 5000;
/** The kubelet says for a while that it cannot read what an instance wrote while that is put away. */
const MOST_ATTEMPTS = 6;

/** Follows what the containers of a cluster's pods write, as they come and go. */
export class ClusterWatch {
  private readonly tails: TailRegistry;
  private present: Map<string, SourceEntry>;
  /** Number of restarts of the instance that ended and was read to its end, by key. */
  private readonly read = new Map<string, number>();
  /** The same of the instance before the newest, by the key of the newest. */
  private readonly previousRead = new Map<string, number>();
  /** Undefined until the cluster has told of them. */
  private pods: readonly LoggedPod[] | undefined;
  private logs: PodLogs | undefined;

  /** @param connect finds the way into the cluster; it may throw, and is asked again whenever the way breaks */
  constructor(
    private readonly cluster: { runtime: string; cluster: string },
    private readonly connect: () => Promise<PodLogs>,
    private readonly following: Following & { sink: StoredLines },
    private readonly signal: AbortSignal,
    private readonly times: { lastWordsMs?: number; firstPauseMs?: number; startMs?: number } = {},
  ) {
    const { runtime: id, cluster: name } = cluster;
    // Pods that went while nobody followed them are found to be gone by the first look.
    this.present = following.registry.thereOf(
      ({ kind, runtime, cluster: of }) => kind === 'pod' && runtime === id && of === name,
    );
    this.tails = new TailRegistry(signal, () => this.look());
    // At once: what still has to end here may take longer than it takes another watch to find them live again.
    signal.addEventListener('abort', () => this.wait('The cluster does not run.'), { once: true });
  }

  /** Goes on until the signal is given. */
  async run(): Promise<void> {
    const began = performance.now();
    const { startMs = START_MS } = this.times;
    const soon = new Pause(SOON_MS, SOON_AT_LAST_MS);
    const later = new Pause();
    while (!this.signal.aborted) {
      try {
        this.logs = await this.connect();
        await this.logs.followPods((pods) => {
          soon.reset();
          later.reset();
          this.pods = pods;
          this.look();
        }, this.signal);
      } catch {
        if (isOver(this.signal)) break;
        // The logs have streams of their own, each of which says for itself when it breaks.
      }
      await (performance.now() - began < startMs ? soon : later).wait(this.signal);
    }
    await this.tails.settled();
  }

  /** To be called when a source was left out, or is wanted again. */
  intakeChanged(): void {
    this.look();
  }

  private wait(reason: string): void {
    for (const entry of this.present.values()) {
      if (entry.state === 'live') this.following.registry.setState(entry, 'waiting', reason);
    }
  }

  private look(): void {
    const { logs, pods } = this;
    if (this.signal.aborted || !logs || !pods) return;
    const before = this.present;
    this.present = new Map();
    for (const pod of pods) for (const container of pod.containers) this.take(logs, pod, container);
    for (const [key, entry] of before) if (!this.present.has(key)) this.lose(key, entry);
  }

  private take(logs: PodLogs, pod: LoggedPod, container: PodContainer): void {
    const { registry } = this.following;
    const identity = podIdentity(this.cluster, pod, container);
    const wasGone = registry.ofKey(identity.key)?.state === 'gone';
    const entry = registry.ensure(identity);
    const { key } = entry.identity;
    this.present.set(key, entry);
    if (registry.isLeftOut(entry)) {
      this.tails.stop(key);
      registry.setState(entry, 'left_out', 'It was left out.');
      return;
    }
    this.takePrevious(logs, pod, container, entry);
    if (this.tails.has(key)) {
      // Whoever read its last words goes on.
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
    this.tails.begin(key, async (signal, monitor) => {
      const began = performance.now();
      const log = monitor.log(logOf(logs, pod, container.name, false));
      const whole = await followLog(
        this.following,
        entry,
        () => Promise.resolve(log),
        container.running,
        signal,
      );
      if (!container.running) {
        if (entry.state === 'gone') return;
        this.read.set(key, container.restarts);
        if (whole) registry.setState(entry, 'ended', container.waiting);
        return;
      }
      await rest(began, signal);
    });
  }

  /** What the instance before the last restart wrote, once: its log is kept by the cluster until the next one. */
  private takePrevious(logs: PodLogs, pod: LoggedPod, container: PodContainer, main: SourceEntry): void {
    if (container.restarts === 0) return;
    const { registry } = this.following;
    const identity = podIdentity(this.cluster, pod, container, container.restarts - 1);
    for (const entry of this.previousOf(main)) {
      if (entry.state === 'gone') {
        // Of what is empty the history lets go.
        if (!this.isKept(entry)) continue;
        registry.setState(registry.ensure(entry.identity), 'ended');
      }
      this.present.set(entry.identity.key, entry);
    }
    const known = registry.ofKey(identity.key);
    if (known && this.isKept(known)) return;
    const isRead = this.previousRead.get(main.identity.key) === identity.previous;
    if (isRead || this.tails.has(identity.key)) return;
    if (known && registry.isLeftOut(known)) return;
    const isPast = (): boolean => this.hasAfter(main, container.startedAt);
    this.tails.begin(identity.key, async (signal, monitor) => {
      // Who followed it while it ended may still be at its last words, or far behind.
      await this.tails.quiet(main.identity.key, this.lastWordsMs, isPast, signal);
      const log = monitor.log(logOf(logs, pod, container.name, true));
      await this.readPrevious(log, identity, main, () => this.isAsItWas(pod, container), signal);
    });
  }

  /**
   * Takes in what the main source has not: where that was followed while the instance ended, it has all of it, and
   * nobody finds a line twice.
   * @param isThere whether it is still the instance before: later, the cluster would answer with another one's log
   */
  private async readPrevious(
    log: FollowedLog,
    identity: SourceIdentity,
    main: SourceEntry,
    isThere: () => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { registry, sink } = this.following;
    const pause = new Pause(this.times.firstPauseMs);
    const source = {
      find: () => registry.ofKey(identity.key)?.id,
      make: () => registry.ensure(identity).id,
      // What it wrote may have been read into either, and deleted there.
      deletedAt: () => later(registry.deletedAt(identity.key), registry.deletedAt(main.identity.key)),
    };
    for (let attempt = 1; !signal.aborted && isThere(); attempt += 1) {
      // What an attempt that broke had not handed on yet comes again.
      const backlog = new Backlog(sink, main.id, source);
      try {
        await new LogReader(backlog).read(main.id, log, signal);
        await backlog.settle();
        this.notePreviousRead(main, identity);
        const entry = registry.ofKey(identity.key);
        if (entry) registry.setState(entry, main.state === 'gone' ? 'gone' : 'ended');
        await this.dropOldest(main);
        return;
      } catch (error) {
        if (isOver(signal)) return;
        const unreadable = error instanceof DomainError && error.code === 'log_unreadable';
        if (unreadable && attempt >= MOST_ATTEMPTS) {
          if (main.state === 'gone') return;
          this.notePreviousRead(main, identity);
          registry.setState(registry.ensure(identity), 'failed', reasonOf(error));
          await this.dropOldest(main);
          return;
        }
        await pause.wait(signal);
      }
    }
  }

  /** Whether lines were taken in that only the instance that was started then can have written. */
  private hasAfter(main: SourceEntry, startedAt: string | null): boolean {
    const last = this.following.sink.lastTime(main.id);
    // It is told in whole seconds, within which the one before may have ended.
    return last !== null && startedAt !== null && last >= (Date.parse(startedAt) + 1000) * 1000;
  }

  private notePreviousRead({ state, identity: { key } }: SourceEntry, { previous }: SourceIdentity): void {
    if (state === 'gone' || previous === null) return;
    this.previousRead.set(key, previous);
  }

  /** The sources of the instances before. */
  private previousOf({ identity: { key } }: SourceEntry): SourceEntry[] {
    const base = `${key}/previous-`;
    return this.following.registry.all().filter(({ identity }) => identity.key.startsWith(base));
  }

  private async dropOldest(main: SourceEntry): Promise<void> {
    const newestFirst = this.previousOf(main).sort(
      (one, other) => (other.identity.previous ?? 0) - (one.identity.previous ?? 0),
    );
    for (const entry of newestFirst.slice(MOST_PREVIOUS)) await this.following.registry.drop(entry);
  }

  private isAsItWas({ uid }: LoggedPod, { name, restarts }: PodContainer): boolean {
    const pod = this.pods?.find((one) => one.uid === uid);
    return pod?.containers.find((one) => one.name === name)?.restarts === restarts;
  }

  private get lastWordsMs(): number {
    return this.times.lastWordsMs ?? LAST_WORDS_MS;
  }

  /** Whether lines of a previous instance were taken in: it writes no more, so they are all. */
  private isKept(entry: SourceEntry): boolean {
    return this.following.registry.present(entry).next_seq > 1;
  }

  private lose(key: string, entry: SourceEntry): void {
    this.following.registry.setState(entry, 'gone');
    this.read.delete(key);
    this.previousRead.delete(key);
    // What it wrote at last is still on its way.
    this.tails.stopOnceQuiet(key, this.lastWordsMs, () => this.present.has(key));
  }
}

function logOf(logs: PodLogs, pod: LoggedPod, container: string, previous: boolean): FollowedLog {
  return {
    wholeSecondTimes: false,
    firstTail: FIRST_TAIL,
    open: (start, signal) => {
      const open = (ending: AbortSignal): AsyncIterable<LogPiece[]> =>
        logs.open(pod, { container, previous, ...start }, ending);
      if (previous) return open(signal);
      const newest = (ending: AbortSignal): Promise<number | null> => newestOf(logs, pod, container, ending);
      return withoutStall({ open, newest, since: start.since }, signal);
    },
  };
}

/** When the newest line of a container was written; null where it has none. @throws what the log throws */
async function newestOf(
  logs: PodLogs,
  pod: LoggedPod,
  container: string,
  signal: AbortSignal,
): Promise<number | null> {
  const start = { container, previous: false, since: null, tail: 1, follow: false };
  const patience = AbortSignal.any([signal, AbortSignal.timeout(NEWEST_MS)]);
  let newest: number | null = null;
  for await (const pieces of logs.open(pod, start, patience)) newest = pieces.at(-1)?.time ?? newest;
  return newest;
}

async function rest(began: number, signal: AbortSignal): Promise<void> {
  const left = Math.max(0, SHORTEST_MS - (performance.now() - began));
  await delay(left, undefined, { signal, ref: false }).catch(() => undefined);
}

function later(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
