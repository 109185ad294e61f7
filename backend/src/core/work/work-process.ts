import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { DomainError } from '../errors/domain-error.js';
import { entryPoint } from '../threads/entry-point.js';
import { FairQueue } from './fair-queue.js';
import { isLarge } from './is-large.js';
import { isWorkProcess, serveWork, type Work } from './serve-work.js';
import type { WorkRequest, WorkResponse, WorkResult } from './work-messages.js';

interface WorkLimits {
  /** Maximum time of one call. */
  milliseconds: number;
  memoryMb: number;
}

/** Ten times what a typical text of a megabyte takes; enough for a malicious one on a busy machine. */
const LIMITS: WorkLimits = { milliseconds: 20_000, memoryMb: 512 };
const IDLE_MS = 10_000;
/** Requests of one client that wait. A body has up to 16 MB. */
const MAX_WAITING = 16;

type ForAnySize<TFunctions extends Readonly<Record<string, Work>>> = {
  [Name in keyof TFunctions]: (
    ...args: Parameters<TFunctions[Name]>
  ) => Promise<ReturnType<TFunctions[Name]>>;
};

/**
 * A process for functions with large or untrusted input. Starts on demand and ends when idle. It runs one call at a time,
 * so that many requests need no more memory than one.
 *
 * It is not a thread, because a thread's limit on memory does not protect the process: if one allocation leads far beyond
 * it, as with a growing array, V8 ends the whole process.
 */
export class WorkProcess {
  private child: ChildProcess | undefined;
  private idle: NodeJS.Timeout | undefined;
  private readonly queue = new FairQueue(MAX_WAITING);

  /**
   * @param beside `import.meta.url` of a file in the same folder as the one that calls `serveWork`.
   * @param name of that file without extension.
   */
  constructor(
    private readonly beside: string,
    private readonly name: string,
    private readonly limits = LIMITS,
  ) {}

  /**
   * Wraps functions for input of any size. The file that calls this is also the one that their process imports and serves
   * under their names.
   * @param beside `import.meta.url` of that file.
   * @param name of that file without extension.
   */
  static forAnySize<TFunctions extends Readonly<Record<string, Work>>>(
    beside: string,
    name: string,
    functions: TFunctions,
  ): ForAnySize<TFunctions> {
    if (process.argv[2] === entryPoint(beside, name).file.href) serveWork(functions);
    const work = new WorkProcess(beside, name);
    const wrapped = Object.entries(functions).map(([key, each]) => [key, work.forAnySize(each)]);
    return Object.fromEntries(wrapped) as ForAnySize<TFunctions>;
  }

  /**
   * Wraps a function for input of any size: small input is handled directly, large input in the process, which serves the
   * function under the same name. Arguments and results must be plain data.
   */
  forAnySize<TArgs extends readonly unknown[], TResult>(
    work: (...args: TArgs) => TResult,
  ): (...args: TArgs) => Promise<TResult> {
    return async (...args) =>
      !isWorkProcess() && isLarge(args) ? await this.run<TResult>(work.name, args) : work(...args);
  }

  /**
   * Calls a function in the process.
   * @throws DomainError of the function, or `invalid_input` if the call exceeds the limits, or `too_many_requests`.
   */
  async run<TResult>(name: string, args: readonly unknown[]): Promise<TResult> {
    const end = await this.queue.enter();
    try {
      const response = await this.call(name, args);
      if ('value' in response) return response.value as TResult;
      if ('failure' in response) throw new Error(response.failure);
      const { code, message, details } = response.error;
      throw new DomainError(code, message, details);
    } finally {
      if (!end()) this.rest();
    }
  }

  private async call(name: string, args: readonly unknown[]): Promise<WorkResult> {
    const child = this.begin();
    const settled = new AbortController();
    const { signal } = settled;
    try {
      child.send({ name, args, milliseconds: this.limits.milliseconds } satisfies WorkRequest);
      const response = await Promise.race([
        once(child, 'message', { signal }).then(([message]) => message as WorkResponse),
        once(child, 'exit', { signal }).then(([, endedBy]) => {
          // V8 and the kernel end a process that takes too much memory by a signal.
          throw endedBy ? this.tooMuch() : new Error(`the process ${this.name} ended`);
        }),
      ]);
      if ('timedOut' in response) throw this.tooMuch();
      return response;
    } catch (error) {
      this.end();
      throw error;
    } finally {
      settled.abort();
    }
  }

  private begin(): ChildProcess {
    clearTimeout(this.idle);
    this.child ??= this.start();
    this.child.ref();
    this.child.channel?.ref();
    return this.child;
  }

  private start(): ChildProcess {
    const { file, execArgv = [] } = entryPoint(import.meta.url, 'serving-process');
    const child = fork(file, [entryPoint(this.beside, this.name).file.href], {
      execArgv: [`--max-old-space-size=${this.limits.memoryMb}`, ...execArgv],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Ctrl+C in a terminal is for Slipway, which ends its calls first.
      detached: true,
    });
    child.on('exit', () => {
      if (this.child === child) this.child = undefined;
    });
    // The channel may still fail while the process is being ended; without a listener, that would end Slipway.
    return child.on('error', () => undefined);
  }

  private rest(): void {
    this.child?.unref();
    this.child?.channel?.unref();
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.end(), IDLE_MS);
    this.idle.unref();
  }

  private end(): void {
    const { child } = this;
    this.child = undefined;
    child?.kill('SIGKILL');
  }

  private tooMuch(): DomainError {
    const { milliseconds, memoryMb } = this.limits;
    return new DomainError(
      'invalid_input',
      `Could not read the text. It takes longer than ${milliseconds / 1000} s or more than ${memoryMb} MB of memory. Make it shorter, or split it.`,
    );
  }
}
