import { expect } from '@jest/globals';
import { DomainError } from '../../../backend/src/core/errors/index.js';
import {
  PodLogs,
  type LoggedPod,
  type PodContainer,
  type PodLogStart,
} from '../../../backend/src/drivers/kubernetes/index.js';
import type { LogPiece } from '../../../backend/src/drivers/runtime/index.js';

export const SECOND = 1_000_000;
/** The first instance wrote before somebody deletes something now, the others write after that. */
export const BEGIN = (Math.floor(Date.now() / 1000) - 30) * SECOND;

interface Instance {
  lines: { time: number; text: string }[];
  running: boolean;
}

/** When an instance was started, in microseconds. */
function startOf(number: number): number {
  return BEGIN + number * 60 * SECOND;
}

/** A cluster with one pod of one container, of which a test tells what its instances wrote. */
export class ScriptedPod extends PodLogs {
  readonly instances: Instance[] = [];
  readonly opened: PodLogStart[] = [];
  /** How often the instance before cannot be read, with the kubelet's words. */
  lost = 0;
  /** How often an instance before was read to its end. */
  ended = 0;
  /** How often somebody followed the pods. */
  followed = 0;
  beforeTelling = (): Promise<void> => Promise.resolve();
  private removed = false;
  private waiting = false;
  private tellPods: ((pods: readonly LoggedPod[]) => void) | undefined;
  private readonly listeners = new Set<() => void>();

  /** A new instance runs; the one before has ended. */
  start(): void {
    for (const instance of this.instances) instance.running = false;
    this.waiting = false;
    this.instances.push({ lines: [], running: true });
    this.tell();
  }

  /** It ended, and is not started again yet. */
  end(): void {
    for (const instance of this.instances) instance.running = false;
    this.waiting = true;
    this.tell();
  }

  /** Somebody deleted it. */
  remove(): void {
    for (const instance of this.instances) instance.running = false;
    this.removed = true;
    this.tell();
  }

  /** It is there after all. */
  restore(): void {
    this.removed = false;
    this.tell();
  }

  write(...texts: string[]): void {
    const number = this.instances.length - 1;
    const { lines } = this.instances[number] as Instance;
    for (const text of texts) {
      lines.push({ time: startOf(number) + lines.length * 1000, text });
    }
    this.tell();
  }

  override async followPods(
    onPods: (pods: readonly LoggedPod[]) => void,
    signal: AbortSignal,
  ): Promise<void> {
    this.followed += 1;
    await this.beforeTelling();
    this.tellPods = onPods;
    onPods(this.pods);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  override find(): Promise<LoggedPod> {
    throw new Error('nobody looks for a pod');
  }

  override async *open(
    { name }: Pick<LoggedPod, 'namespace' | 'name'>,
    start: PodLogStart,
    signal: AbortSignal,
  ): AsyncGenerator<LogPiece[]> {
    expect([name, start.container]).toEqual(['web', 'main']);
    this.opened.push(start);
    const instance = this.instances.at(start.previous ? -2 : -1);
    if (!instance) throw new Error('there is no such instance');
    if (start.previous && this.lost > 0) {
      this.lost -= 1;
      throw new DomainError('log_unreadable', 'unable to retrieve container logs for containerd://1');
    }
    const whole = start.since === null ? 0 : Math.floor(start.since / SECOND) * SECOND;
    const wanted = (): Instance['lines'] => instance.lines.filter(({ time }) => time >= whole);
    for (let told = 0; ;) {
      const lines = wanted();
      if (told < lines.length) {
        yield lines
          .slice(told)
          .map(({ time, text }) => ({ stream: null, time, data: Buffer.from(`${text}\n`) }));
        told = lines.length;
      } else if (!instance.running || start.follow === false || signal.aborted) {
        if (start.previous) this.ended += 1;
        return;
      } else {
        const isLeft = await new Promise<boolean>((resolve) => {
          this.listeners.add(() => resolve(false));
          signal.addEventListener('abort', () => resolve(true), { once: true });
        });
        if (isLeft) return;
      }
    }
  }

  private get pods(): LoggedPod[] {
    return this.removed ? [] : [this.pod];
  }

  private get pod(): LoggedPod {
    const container: PodContainer = {
      name: 'main',
      role: 'main',
      running: this.instances.at(-1)?.running ?? false,
      waiting: this.instances.length === 0 ? 'ContainerCreating' : null,
      restarts: Math.max(0, this.instances.length - 1),
      startedAt:
        this.instances.length === 0
          ? null
          : new Date(startOf(this.instances.length - 1) / 1000).toISOString(),
    };
    expect(this.waiting && container.running).toBe(false);
    return {
      uid: 'uid-1',
      namespace: 'shop',
      name: 'web',
      node: 'n',
      workload: null,
      containers: [container],
    };
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
    this.listeners.clear();
    this.tellPods?.(this.pods);
  }
}
