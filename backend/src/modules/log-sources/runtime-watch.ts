import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../../core/errors/index.js';
import {
  CLUSTER_LABEL,
  ROLE_LABEL,
  type ContainerLogs,
  type LoggedContainer,
  type RuntimeDriver,
} from '../../drivers/runtime/index.js';
import type { FollowedLog } from './reading/log-reader.js';
import type { LineSink } from './reading/line-sink.js';
import { TailRegistry } from './tail-registry.js';
import { followLog, type Following } from './follow-log.js';
import type { SourceState } from './source-state.js';
import { NodeJournal } from './node-journal.js';
import { Pause } from './pause.js';
import { isOver } from './is-over.js';
import { Poller } from './poller.js';
import type { SourceEntry } from './source-entry.js';
import { containerIdentity, NODE_SERVICES, nodeIdentity } from './source-identity.js';

/** What is asked for of a container that was never seen before. */
const FIRST_TAIL = 1_000_000;
/** Podman needs longer for a large tail than for everything. */
const FIRST_TAIL_OF_WHOLE_SECONDS = 10_000;
/** An event may be lost while the stream of events begins: soon after, and now and then, all are listed all the same. */
const LOOK_AGAIN_MS = 500;
const LOOK_ANYWAY_MS = 15_000;
/** A log that ended sooner than this is not begun again before. */
const SHORTEST_MS = 500;
/** The log of a container that is gone ends by itself. One that has told nothing for so long is read no longer. */
const LAST_WORDS_MS = 2000;

/** A cluster of the engine that runs, as its nodes tell. */
export interface RunningCluster {
  name: string;
  /** Changes when its nodes are other ones, or were started again. */
  generation: string;
}

/** Follows what the containers of one engine write, as they come and go. */
export class RuntimeWatch {
  private readonly tails: TailRegistry;
  private readonly poller: Poller;
  /** Containers that ended and were read to their end, by key. */
  private readonly read = new Set<string>();
  /** Keys of the sources that were there when it last looked. */
  private present: Map<string, SourceEntry>;

  /** @param onClusters told the clusters that run, whenever containers were listed */
  constructor(
    private readonly runtime: RuntimeDriver,
    private readonly following: Following & { sink: LineSink },
    private readonly onClusters: (clusters: readonly RunningCluster[]) => void,
    private readonly signal: AbortSignal,
    private readonly times: { lastWordsMs?: number } = {},
  ) {
    // What went while the engine did not answer is found to be gone by the first look.
    this.present = following.registry.thereOf(({ kind, runtime: id }) => kind !== 'pod' && id === runtime.id);
    this.poller = new Poller(() => this.look(), signal);
    this.tails = new TailRegistry(signal, () => this.poller.soon());
  }

  /** Goes on until the signal is given. */
  async run(): Promise<void> {
    const pause = new Pause();
    const anyway = setInterval(() => this.poller.soon(), LOOK_ANYWAY_MS);
    anyway.unref();
    while (!this.signal.aborted) {
      const round = new AbortController();
      try {
        const changes = this.runtime.logs.followChanges(
          () => this.poller.soon(),
          AbortSignal.any([this.signal, round.signal]),
        );
        // Where it breaks before it is awaited, below.
        changes.catch(() => undefined);
        await this.poller.atOnce();
        pause.reset();
        const again = setTimeout(() => this.poller.soon(), LOOK_AGAIN_MS);
        await changes.finally(() => clearTimeout(again));
      } catch {
        if (isOver(this.signal)) break;
        // The logs have streams of their own, each of which says for itself when it breaks.
      } finally {
        // Where nothing was listed, the changes are followed still.
        round.abort();
      }
      await pause.wait(this.signal);
    }
    clearInterval(anyway);
    await this.tails.settled();
  }

  /** To be called when a source was left out, or is wanted again. */
  intakeChanged(): void {
    this.poller.soon();
  }

  /** Says of all of its sources that nothing is heard of them now. */
  wait(reason: string): void {
    for (const entry of this.present.values()) {
      if (entry.state === 'live') this.following.registry.setState(entry, 'waiting', reason);
    }
  }

  private async look(): Promise<void> {
    const containers = await this.runtime.logs.list();
    if (this.signal.aborted) return;
    const before = this.present;
    this.present = new Map();
    for (const container of containers) {
      this.takeContainer(container);
      if (container.labels[CLUSTER_LABEL] !== undefined) this.takeNode(container);
    }
    for (const [key, entry] of before) if (!this.present.has(key)) this.lose(key, entry);
    this.onClusters(runningClusters(containers));
    this.losePods(new Set(containers.map(({ labels }) => labels[CLUSTER_LABEL])));
  }

  /** Pods stay where their cluster does not run. Of a cluster of which no node is left, nobody else tells that they went. */
  private losePods(clusters: ReadonlySet<string | undefined>): void {
    const { registry } = this.following;
    const lost = registry.thereOf(
      ({ kind, runtime, cluster }) =>
        kind === 'pod' && runtime === this.runtime.id && !clusters.has(cluster ?? undefined),
    );
    for (const entry of lost.values()) registry.setState(entry, 'gone');
  }

  private takeContainer(container: LoggedContainer): void {
    const entry = this.following.registry.ensure(containerIdentity(this.runtime.id, container));
    const { key } = entry.identity;
    this.present.set(key, entry);
    if (this.isLeftOut(entry)) return;
    const state = stateOf(container);
    if (state === 'waiting') this.following.registry.setState(entry, 'waiting', 'It has not been started.');
    if (state === 'live') this.read.delete(key);
    if (state === 'waiting' || this.tails.has(key)) return;
    if (state === 'ended' && this.read.has(key)) {
      if (entry.state !== 'failed') this.following.registry.setState(entry, 'ended');
      return;
    }
    this.tails.begin(key, async (signal, monitor) => {
      const log = async (): Promise<FollowedLog> => monitor.log(await this.logOf(container.id));
      const began = performance.now();
      const whole = await followLog(this.following, entry, log, state === 'live', signal);
      if (state === 'ended') {
        if (entry.state === 'gone') return;
        this.read.add(key);
        if (whole) this.following.registry.setState(entry, 'ended');
        return;
      }
      // A container that restarts over and over ends its log as often.
      const rest = Math.max(0, SHORTEST_MS - (performance.now() - began));
      await delay(rest, undefined, { signal, ref: false }).catch(() => undefined);
    });
  }

  private async logOf(id: string): Promise<FollowedLog> {
    const { logs } = this.runtime;
    const format = await logs.format(id);
    if (format.unreadable !== null) throw new DomainError('log_unreadable', format.unreadable);
    return {
      wholeSecondTimes: format.wholeSecondTimes,
      firstTail: format.wholeSecondTimes ? FIRST_TAIL_OF_WHOLE_SECONDS : FIRST_TAIL,
      open: (start, signal) => logs.open(id, format, start, signal),
    };
  }

  /** A node's services write to its journal; both are read by one program in the node. */
  private takeNode(container: LoggedContainer): void {
    const { registry } = this.following;
    const entries = NODE_SERVICES.map((service) =>
      registry.ensure(nodeIdentity(this.runtime.id, container, service)),
    );
    for (const entry of entries) this.present.set(entry.identity.key, entry);
    const key = journalKey(container.id);
    const wanted = entries.filter((entry) => !registry.isLeftOut(entry));
    for (const entry of entries) this.isLeftOut(entry);
    if (stateOf(container) !== 'live' || container.labels[ROLE_LABEL] === 'external-load-balancer') {
      this.tails.stop(key);
      const reason = container.state === 'paused' ? 'The node is paused.' : null;
      const state = container.state === 'created' ? 'waiting' : 'ended';
      for (const entry of wanted) registry.setState(entry, state, reason);
      return;
    }
    if (wanted.length === 0) this.tails.stop(key);
    else {
      this.tails.begin(key, (signal, monitor) => {
        const run: ContainerLogs['run'] = (...asked) => monitor.stream(this.runtime.logs.run(...asked));
        return new NodeJournal({ run }, container.id, entries, this.following).follow(signal);
      });
    }
  }

  /** @returns whether a source is left out, and sees to it that it is. */
  private isLeftOut(entry: SourceEntry): boolean {
    if (!this.following.registry.isLeftOut(entry)) return false;
    this.tails.stop(entry.identity.key);
    this.following.registry.setState(entry, 'left_out', 'It was left out.');
    return true;
  }

  private lose(key: string, entry: SourceEntry): void {
    this.following.registry.setState(entry, 'gone');
    this.read.delete(key);
    const { kind } = entry.identity;
    const follower = kind === 'node' ? journalKey(key.split('/')[2]) : key;
    // What it wrote at last is still on its way.
    const lastWordsMs = this.times.lastWordsMs ?? LAST_WORDS_MS;
    this.tails.stopOnceQuiet(follower, lastWordsMs, () => this.present.has(key));
  }
}

/** Of the one follower of a node's services. */
function journalKey(containerId = ''): string {
  return `journal/${containerId}`;
}

function stateOf({ state }: LoggedContainer): Extract<SourceState, 'live' | 'waiting' | 'ended'> {
  if (state === 'created') return 'waiting';
  return ['running', 'paused', 'restarting'].includes(state) ? 'live' : 'ended';
}

function runningClusters(containers: readonly LoggedContainer[]): RunningCluster[] {
  const nodes = new Map<string, string[]>();
  for (const { id, labels, state } of containers) {
    const cluster = labels[CLUSTER_LABEL];
    if (cluster === undefined || labels[ROLE_LABEL] !== 'control-plane' || state !== 'running') continue;
    nodes.set(cluster, [...(nodes.get(cluster) ?? []), id]);
  }
  return [...nodes].map(([name, ids]) => ({ name, generation: ids.sort().join(',') }));
}
