import { expect } from '@jest/globals';
import { DomainError } from '../../../backend/src/core/errors/domain-error.js';
import {
  PodLogs,
  type LoggedPod,
  type PodContainer,
  type PodLogStart,
} from '../../../backend/src/drivers/kubernetes/pod-logs.js';
import type { PodName } from '../../../backend/src/drivers/kubernetes/resource-api.js';
import type { LogPiece } from '../../../backend/src/drivers/runtime/index.js';

const SECOND = 1_000_000;

interface Instance {
  lines: { time: number; text: string }[];
  running: boolean;
}

/** A cluster with one pod with one scripted container. */
export class ScriptedPod extends PodLogs {
  readonly instances: Instance[] = [];
  readonly opened: PodLogStart[] = [];
  /** How often reading the previous instance fails, with the kubelet's error. */
  lost = 0;
  /** How often a previous instance was read to its end. */
  ended = 0;
  /** Number of followPods calls. */
  followed = 0;
  beforeList = (): Promise<void> => Promise.resolve();
  /** The first instance writes before now, and the others after now, so that deletions in tests fall in between. */
  private readonly begin = (Math.floor(Date.now() / 1000) - 30) * SECOND;
  private removed = false;
  private waiting = false;
  private onPods: ((pods: readonly LoggedPod[]) => void) | undefined;
  private readonly listeners = new Set<() => void>();

  /** Starts a new instance and ends the previous one. */
  start(): void {
    for (const instance of this.instances) instance.running = false;
    this.waiting = false;
    this.instances.push({ lines: [], running: true });
    this.notify();
  }

  /** Ends the instance without starting a new one. */
  end(): void {
    for (const instance of this.instances) instance.running = false;
    this.waiting = true;
    this.notify();
  }

  /** Deletes the pod. */
  remove(): void {
    for (const instance of this.instances) instance.running = false;
    this.removed = true;
    this.notify();
  }

  /** Adds the deleted pod again. */
  restore(): void {
    this.removed = false;
    this.notify();
  }

  write(...texts: string[]): void {
    const number = this.instances.length - 1;
    const { lines } = this.instances[number] as Instance;
    for (const text of texts) {
      lines.push({ time: this.startOf(number) + lines.length * 1000, text });
    }
    this.notify();
  }

  override async followPods(
    onPods: (pods: readonly LoggedPod[]) => void,
    signal: AbortSignal,
  ): Promise<void> {
    this.followed += 1;
    await this.beforeList();
    this.onPods = onPods;
    onPods(this.pods);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  override find(): Promise<LoggedPod> {
    throw new Error('not scripted');
  }

  override async *open(
    { name }: PodName,
    start: PodLogStart,
    signal: AbortSignal,
  ): AsyncGenerator<LogPiece[]> {
    expect([name, start.container]).toEqual(['web', 'main']);
    this.opened.push(start);
    const instance = this.instances.at(start.previous ? -2 : -1);
    if (!instance) throw new Error('the instance does not exist');
    if (start.previous && this.lost > 0) {
      this.lost -= 1;
      throw new DomainError('log_unreadable', 'unable to retrieve container logs for containerd://1');
    }
    const whole = start.since === null ? 0 : Math.floor(start.since / SECOND) * SECOND;
    const wanted = (): Instance['lines'] => instance.lines.filter(({ time }) => time >= whole);
    for (let sent = 0; ;) {
      const lines = wanted();
      if (sent < lines.length) {
        yield lines
          .slice(sent)
          .map(({ time, text }) => ({ stream: null, time, data: Buffer.from(`${text}\n`) }));
        sent = lines.length;
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

  /** When an instance was started, in microseconds. */
  private startOf(number: number): number {
    return this.begin + number * 60 * SECOND;
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
          : new Date(this.startOf(this.instances.length - 1) / 1000).toISOString(),
    };
    expect(this.waiting && container.running).toBe(false);
    return {
      uid: 'uid-1',
      namespace: 'shop',
      name: 'web',
      workload: null,
      owner: null,
      containers: [container],
    };
  }

  private notify(): void {
    for (const listener of [...this.listeners]) listener();
    this.listeners.clear();
    this.onPods?.(this.pods);
  }
}
