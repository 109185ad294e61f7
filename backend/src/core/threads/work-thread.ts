import { isMainThread, type Worker } from 'node:worker_threads';
import { DomainError } from '../errors/domain-error.js';
import { isLarge } from './is-large.js';
import { startThread } from './start-thread.js';
import type { WorkRequest, WorkResponse } from './work-messages.js';

export interface ThreadLimits {
  /** Maximum time of one call. */
  milliseconds: number;
  memoryMb: number;
}

/** Ten times what a typical text of a megabyte takes; enough for a malicious one on a busy machine. */
const LIMITS: ThreadLimits = { milliseconds: 20_000, memoryMb: 512 };
/** A thread starts in 40 ms and takes about 10 MB. */
const IDLE_MS = 10_000;

/**
 * A thread for functions that take long with large input. Starts on demand and ends when idle. It runs one call at a
 * time, so that many requests need no more memory than one.
 */
export class WorkThread {
  private worker: Worker | undefined;
  /** Resolves when the thread has loaded, which takes seconds on a busy machine and does not count as work. */
  private loaded: Promise<unknown> = Promise.resolve();
  private idle: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /**
   * @param beside `import.meta.url` of a file in the folder of the thread's file.
   * @param name of the thread's file without extension. It calls `serveWork`.
   */
  constructor(
    private readonly beside: string,
    private readonly name: string,
    private readonly limits = LIMITS,
  ) {}

  /**
   * Wraps a function for input of any size: small input is handled directly, large input in the thread, which serves the
   * function under the same name. Arguments and results must be plain data.
   */
  forAnySize<TArgs extends readonly unknown[], TResult>(
    work: (...args: TArgs) => TResult,
  ): (...args: TArgs) => Promise<TResult> {
    return async (...args) =>
      isMainThread && isLarge(args) ? await this.run<TResult>(work.name, args) : work(...args);
  }

  /**
   * Calls a function in the thread.
   * @throws DomainError of the function, or `invalid_input` if the call exceeds the limits.
   */
  async run<TResult>(name: string, args: readonly unknown[]): Promise<TResult> {
    this.waiting += 1;
    const turn = this.last.then(() => this.call(name, args));
    this.last = turn.catch(() => undefined);
    try {
      const response = await turn;
      if ('value' in response) return response.value as TResult;
      if ('failure' in response) throw new Error(response.failure);
      const { code, message, details } = response.error;
      throw new DomainError(code, message, details);
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.rest();
    }
  }

  private async call(name: string, args: readonly unknown[]): Promise<WorkResponse> {
    const worker = this.begin();
    const settled = new AbortController();
    const { signal } = settled;
    try {
      return await new Promise<WorkResponse>((resolve, reject) => {
        const fail = (error: NodeJS.ErrnoException): void =>
          reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? this.tooMuch() : error);
        const endedEarly = (): void => reject(new Error(`the thread ${this.name} ended`));
        worker.once('error', fail).once('exit', endedEarly);
        signal.addEventListener('abort', () => worker.off('error', fail).off('exit', endedEarly));
        void this.loaded.then(() => {
          if (signal.aborted) return;
          const timer = setTimeout(() => reject(this.tooMuch()), this.limits.milliseconds);
          signal.addEventListener('abort', () => clearTimeout(timer));
          worker.once('message', resolve);
          worker.postMessage({ name, args } satisfies WorkRequest);
        });
      });
    } catch (error) {
      this.end();
      throw error;
    } finally {
      settled.abort();
    }
  }

  private begin(): Worker {
    clearTimeout(this.idle);
    this.worker ??= this.start();
    this.worker.ref();
    return this.worker;
  }

  private start(): Worker {
    const worker = startThread(this.beside, this.name, null, {
      resourceLimits: { maxOldGenerationSizeMb: this.limits.memoryMb },
      stderr: true,
      env: {},
    });
    this.loaded = new Promise((resolve) => worker.once('message', resolve));
    worker.on('exit', () => {
      if (this.worker === worker) this.worker = undefined;
    });
    // A thread may still fail while it is being terminated; without a listener, that would end the process.
    return worker.on('error', () => undefined);
  }

  private rest(): void {
    this.worker?.unref();
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.end(), IDLE_MS);
    this.idle.unref();
  }

  private end(): void {
    const { worker } = this;
    this.worker = undefined;
    void worker?.terminate();
  }

  private tooMuch(): DomainError {
    const { milliseconds, memoryMb } = this.limits;
    return new DomainError(
      'invalid_input',
      `Could not read the text. It takes longer than ${milliseconds / 1000} s or more than ${memoryMb} MB of memory. Make it shorter, or split it.`,
    );
  }
}
