import { DomainError } from '../../../core/errors/index.js';
import {
  ContainerLogs,
  type ContainerLogFormat,
  type LoggedContainer,
  type LogPiece,
  type LogStart,
} from '../../runtime/index.js';
import type { DemoNode } from '../demo-node.js';
import type { DemoWorld } from '../demo-world.js';
import { DemoLog, followDemoLog, type DemoEntry, type DemoReading } from './demo-log.js';
import { MACHINE_CONTAINERS } from './machine-containers.js';
import { bootScript } from './node-boot.js';
import { runJournal } from './node-journal.js';

/** What the demo's nodes write, and the few other containers of its machine. */
export class DemoContainerLogs extends ContainerLogs {
  constructor(private readonly world: DemoWorld) {
    super();
  }

  override list(): Promise<LoggedContainer[]> {
    const nodes = this.world.nodes.map(({ id, name, image, state, cluster, role, createdAt }) => ({
      id,
      name,
      image,
      state,
      labels: { 'io.x-k8s.kind.cluster': cluster, 'io.x-k8s.kind.role': role },
      createdAt,
    }));
    return Promise.resolve([...nodes, ...MACHINE_CONTAINERS.map(({ script: _script, ...listed }) => listed)]);
  }

  override async followChanges(onChange: () => void, signal: AbortSignal): Promise<void> {
    const subscription = this.world.events.subscribe(onChange);
    await new Promise<void>((_, reject) => {
      const end = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('ended'));
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    }).finally(() => subscription.unsubscribe());
  }

  override format(id: string): Promise<ContainerLogFormat> {
    if (!this.logOf(id)) return Promise.reject(gone(id));
    return Promise.resolve({ tty: false, unreadable: null, wholeSecondTimes: false });
  }

  override async *open(
    id: string,
    _format: ContainerLogFormat,
    { since, tail }: LogStart,
    signal: AbortSignal,
  ): AsyncGenerator<LogPiece[]> {
    const log = this.logOf(id);
    if (!log) throw gone(id);
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
      throw new DomainError(
        'log_unreadable',
        `Nothing can be run in ${node?.name ?? id.slice(0, 12)}: ${node ? 'it does not run' : 'it is gone'}.`,
        { runtime: 'demo', container: id },
      );
    }
    yield* runJournal(node, command, this.world.speed, this.reading(id, signal));
  }

  private node(id: string): DemoNode | undefined {
    return this.world.nodes.find((node) => node.id === id);
  }

  private logOf(id: string): DemoLog | undefined {
    const { speed } = this.world;
    const node = this.node(id);
    // A node says what it has to say at each start; of an earlier one nothing is kept.
    const started = node?.state === 'running' || node?.state === 'paused' ? node.stateSince : node?.createdAt;
    if (node && started !== undefined) return new DemoLog(bootScript(node), Date.parse(started), id, speed);
    const container = MACHINE_CONTAINERS.find((candidate) => candidate.id === id);
    return container && new DemoLog(container.script, Date.parse(container.createdAt), id, speed);
  }

  private reading(id: string, signal: AbortSignal): DemoReading {
    return {
      signal,
      isRunning: () => {
        const node = this.node(id);
        return node ? node.state !== 'exited' : MACHINE_CONTAINERS.some((container) => container.id === id);
      },
      onChange: (listener) => {
        const subscription = this.world.events.subscribe(listener);
        return () => subscription.unsubscribe();
      },
    };
  }
}

export function toPieces({ time, stream, lines }: DemoEntry): LogPiece[] {
  return lines.map((line, index) => ({ stream, time: time + index, data: Buffer.from(`${line}\n`) }));
}

function gone(id: string): DomainError {
  return new DomainError(
    'log_unreadable',
    `The log of ${id.slice(0, 12)} in demo cannot be read: the container is gone.`,
    { runtime: 'demo', container: id },
  );
}
