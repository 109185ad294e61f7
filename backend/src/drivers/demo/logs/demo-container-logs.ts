import { DomainError } from '../../../core/errors/index.js';
import {
  ContainerLogs,
  untilAborted,
  type ContainerLogFormat,
  type LoggedContainer,
  type LogPiece,
  type LogStart,
} from '../../runtime/index.js';
import type { DemoNode } from '../demo-node.js';
import type { DemoWorld } from '../demo-world.js';
import { recordedJson } from '../recorded.js';
import { DemoLog, followDemoLog, type DemoEntry, type DemoReading } from './demo-log.js';
import { recordedScript, type LogScript } from './log-script.js';
import { runJournal } from './node-journal.js';

/** Containers next to the clusters, as a developer has them. */
const OTHER_CONTAINERS = recordedJson<{ script: string; listed: LoggedContainer }[]>('containers.json');

export class DemoContainerLogs extends ContainerLogs {
  constructor(private readonly world: DemoWorld) {
    super();
  }

  override async list(): Promise<LoggedContainer[]> {
    const nodes = this.world.nodes.map(({ id, name, state, cluster, role, createdAt }) => ({
      id,
      name,
      state,
      labels: { 'io.x-k8s.kind.cluster': cluster, 'io.x-k8s.kind.role': role },
      createdAt,
    }));
    return [...nodes, ...OTHER_CONTAINERS.map(({ listed }) => listed)];
  }

  override async followChanges(onChange: () => void, signal: AbortSignal): Promise<void> {
    const subscription = this.world.events.subscribe(onChange);
    await untilAborted(signal).finally(() => subscription.unsubscribe());
  }

  override async format(id: string): Promise<ContainerLogFormat> {
    if (!this.logOf(id)) throw missing(id);
    return { tty: false, unreadable: null, wholeSecondTimes: false };
  }

  override async *open(
    id: string,
    _format: ContainerLogFormat,
    { since, tail }: LogStart,
    signal: AbortSignal,
  ): AsyncGenerator<LogPiece[]> {
    const log = this.logOf(id);
    if (!log) throw missing(id);
    const node = this.node(id);
    const ended = node?.state === 'exited' ? node.stateSince : undefined;
    const now = ended === undefined ? Date.now() * 1000 : Date.parse(ended) * 1000;
    const past = log.between(since, now, tail);
    if (past.length > 0) yield past.flatMap(toPieces).slice(-tail);
    if (ended !== undefined) return;
    for await (const entries of followDemoLog(log, log.countUntil(now), this.reading(id, signal))) {
      yield entries.flatMap(toPieces);
    }
  }

  override async *run(id: string, command: readonly string[], signal: AbortSignal): AsyncGenerator<string[]> {
    const node = this.node(id);
    if (node?.state !== 'running') {
      const name = node?.name ?? id.slice(0, 12);
      const reason = node ? 'is not running' : 'no longer exists';
      throw unreadable(id, `Could not run a command in ${name}. It ${reason}.`);
    }
    yield* runJournal(node, command, this.world.speed, this.reading(id, signal));
  }

  private node(id: string): DemoNode | undefined {
    return this.world.nodes.find((node) => node.id === id);
  }

  private logOf(id: string): DemoLog | undefined {
    const { speed } = this.world;
    const node = this.node(id);
    // Each start begins a new log.
    const started = node?.state === 'running' || node?.state === 'paused' ? node.stateSince : node?.createdAt;
    if (node && started !== undefined) return new DemoLog(bootScript(node), Date.parse(started), id, speed);
    const other = OTHER_CONTAINERS.find(({ listed }) => listed.id === id);
    return other && new DemoLog(recordedScript(other.script), Date.parse(other.listed.createdAt), id, speed);
  }

  private reading(id: string, signal: AbortSignal): DemoReading {
    return {
      signal,
      isRunning: () => {
        const node = this.node(id);
        return node ? node.state !== 'exited' : OTHER_CONTAINERS.some(({ listed }) => listed.id === id);
      },
      onChange: (listener) => {
        const subscription = this.world.events.subscribe(listener);
        return () => subscription.unsubscribe();
      },
    };
  }
}

function toPieces({ time, stream, lines }: DemoEntry): LogPiece[] {
  return lines.map((line, index) => ({ stream, time: time + index, data: Buffer.from(`${line}\n`) }));
}

function missing(id: string): DomainError {
  const log = `the log of ${id.slice(0, 12)} in demo`;
  return unreadable(id, `Could not read ${log}. The container no longer exists.`);
}

function unreadable(id: string, message: string): DomainError {
  return new DomainError('log_unreadable', message, { runtime: 'demo', container: id });
}

function bootScript({ name, address }: DemoNode): LogScript {
  const script = recordedScript('node');
  const start = script.start.map((line) => line.replace('NODE_NAME', name).replace('NODE_ADDRESS', address));
  return { ...script, start };
}
