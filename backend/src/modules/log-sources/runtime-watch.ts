import { DomainError } from '../../core/errors/index.js';
import { isAborted } from '../../core/threads/index.js';
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
import { Backoff, DRAIN_MS, waitForRestart } from './backoff.js';
import { Poller } from './poller.js';
import type { SourceEntry } from './source-entry.js';
import { containerIdentity, NODE_SERVICES, nodeIdentity } from './source-identity.js';

/** Lines to read of a container that is seen for the first time. */
const FIRST_TAIL = 1_000_000;
/** The same for Podman, which needs longer for a large tail than for the whole log. */
const FIRST_TAIL_WHOLE_SECONDS = 10_000;
/** Events may be lost while the event stream starts, so containers are also listed soon after, and periodically. */
const FIRST_POLL_MS = 500;
const POLL_INTERVAL_MS = 15_000;

/** A cluster with running control-plane nodes. */
export interface RunningCluster {
  name: string;
  /** Changes when its nodes are replaced. */
  generation: string;
}

/** Follows the logs of the containers of one engine as they appear and disappear. */
export class RuntimeWatch {
  private readonly tails: TailRegistry;
  private readonly poller: Poller;
  /** Keys of ended containers whose logs were read completely. */
  private readonly read = new Set<string>();
  /** The sources of the last poll, by key. */
  private present: Map<string, SourceEntry>;

  /** @param onClusters receives the running clusters after each poll */
  constructor(
    private readonly runtime: RuntimeDriver,
    private readonly following: Following & { sink: LineSink },
    private readonly onClusters: (clusters: readonly RunningCluster[]) => void,
    private readonly signal: AbortSignal,
    private readonly times: { drainMs?: number } = {},
  ) {
    // The first poll marks what was deleted while the engine did not respond.
    this.present = following.registry.findPresent(
      ({ kind, runtime: id }) => kind !== 'pod' && id === runtime.id,
    );
    this.poller = new Poller(() => this.poll(), signal);
    this.tails = new TailRegistry(signal, () => this.poller.schedule());
  }

  async run(): Promise<void> {
    const backoff = new Backoff();
    const interval = setInterval(() => this.poller.schedule(), POLL_INTERVAL_MS);
    interval.unref();
    while (!this.signal.aborted) {
      const round = new AbortController();
      try {
        const changes = this.runtime.logs.followChanges(
          () => this.poller.schedule(),
          AbortSignal.any([this.signal, round.signal]),
        );
        // It may fail before it is awaited below.
        changes.catch(() => undefined);
        await this.poller.pollNow();
        backoff.reset();
        const timer = setTimeout(() => this.poller.schedule(), FIRST_POLL_MS);
        await changes.finally(() => clearTimeout(timer));
      } catch {
        if (isAborted(this.signal)) break;
        // Each log has its own stream, which reports its own failures.
      } finally {
        // Ends the event stream if listing failed.
        round.abort();
      }
      await backoff.wait(this.signal);
    }
    clearInterval(interval);
    await this.tails.settled();
  }

  /** Call it when a source was excluded or included. */
  intakeChanged(): void {
    this.poller.schedule();
  }

  markWaiting(reason: string): void {
    for (const entry of this.present.values()) {
      if (entry.state === 'live') this.following.registry.setState(entry, 'waiting', reason);
    }
  }

  private async poll(): Promise<void> {
    const containers = await this.runtime.logs.list();
    if (this.signal.aborted) return;
    const before = this.present;
    this.present = new Map();
    for (const container of containers) {
      this.followContainer(container);
      if (container.labels[CLUSTER_LABEL] !== undefined) this.followNode(container);
    }
    for (const [key, entry] of before) if (!this.present.has(key)) this.markGone(key, entry);
    this.onClusters(runningClusters(containers));
    this.markPodsGone(new Set(containers.map(({ labels }) => labels[CLUSTER_LABEL])));
  }

  /** Pods of a stopped cluster remain. If no node of the cluster is left, no ClusterWatch reports that they were deleted. */
  private markPodsGone(clusters: ReadonlySet<string | undefined>): void {
    const { registry } = this.following;
    const lost = registry.findPresent(
      ({ kind, runtime, cluster }) =>
        kind === 'pod' && runtime === this.runtime.id && !clusters.has(cluster ?? undefined),
    );
    for (const entry of lost.values()) registry.setState(entry, 'gone');
  }

  private followContainer(container: LoggedContainer): void {
    const entry = this.following.registry.ensure(containerIdentity(this.runtime.id, container));
    const { key } = entry.identity;
    this.present.set(key, entry);
    if (this.stopIfExcluded(entry)) return;
    const state = stateOf(container);
    if (state === 'waiting') this.following.registry.setState(entry, 'waiting', 'It has not been started.');
    if (state === 'live') this.read.delete(key);
    if (state === 'waiting' || this.tails.has(key)) return;
    if (state === 'ended' && this.read.has(key)) {
      if (entry.state !== 'failed') this.following.registry.setState(entry, 'ended');
      return;
    }
    this.tails.start(key, async (signal, monitor) => {
      const log = async (): Promise<FollowedLog> => monitor.log(await this.logOf(container.id));
      const began = performance.now();
      const complete = await followLog(this.following, entry, log, state === 'live', signal);
      if (state === 'ended') {
        if (entry.state === 'gone') return;
        this.read.add(key);
        if (complete) this.following.registry.setState(entry, 'ended');
        return;
      }
      await waitForRestart(began, signal);
    });
  }

  private async logOf(id: string): Promise<FollowedLog> {
    const { logs } = this.runtime;
    const format = await logs.format(id);
    if (format.unreadable !== null) throw new DomainError('log_unreadable', format.unreadable);
    return {
      wholeSecondTimes: format.wholeSecondTimes,
      firstTail: format.wholeSecondTimes ? FIRST_TAIL_WHOLE_SECONDS : FIRST_TAIL,
      open: (start, signal) => logs.open(id, format, start, signal),
    };
  }

  /** The services of a node write to its journal. One program in the node reads both. */
  private followNode(container: LoggedContainer): void {
    const { registry } = this.following;
    const entries = NODE_SERVICES.map((service) =>
      registry.ensure(nodeIdentity(this.runtime.id, container, service)),
    );
    for (const entry of entries) this.present.set(entry.identity.key, entry);
    const key = journalKey(container.id);
    const wanted = entries.filter((entry) => !registry.isExcluded(entry));
    for (const entry of entries) this.stopIfExcluded(entry);
    if (stateOf(container) !== 'live' || container.labels[ROLE_LABEL] === 'external-load-balancer') {
      this.tails.stop(key);
      const reason = container.state === 'paused' ? 'The node is paused.' : null;
      const state = container.state === 'created' ? 'waiting' : 'ended';
      for (const entry of wanted) registry.setState(entry, state, reason);
      return;
    }
    if (wanted.length === 0) this.tails.stop(key);
    else {
      this.tails.start(key, (signal, monitor) => {
        const run: ContainerLogs['run'] = (...args) => monitor.stream(this.runtime.logs.run(...args));
        return new NodeJournal({ run }, container.id, entries, this.following).follow(signal);
      });
    }
  }

  /** Stops following an excluded source. @returns whether the source is excluded */
  private stopIfExcluded(entry: SourceEntry): boolean {
    if (!this.following.registry.isExcluded(entry)) return false;
    this.tails.stop(entry.identity.key);
    this.following.registry.setState(entry, 'left_out', 'The source is excluded.');
    return true;
  }

  private markGone(key: string, entry: SourceEntry): void {
    this.following.registry.setState(entry, 'gone');
    this.read.delete(key);
    const { kind } = entry.identity;
    const tail = kind === 'node' ? journalKey(key.split('/')[2]) : key;
    // Its last lines may not have arrived yet.
    const drainMs = this.times.drainMs ?? DRAIN_MS;
    this.tails.stopWhenIdle(tail, drainMs, () => this.present.has(key));
  }
}

/** Key of the one tail of a node's services. */
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
