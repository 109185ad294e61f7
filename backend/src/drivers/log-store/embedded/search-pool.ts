import type { Worker } from 'node:worker_threads';
import { asError, guarded } from '../../../core/errors/index.js';
import { startThread } from '../../../core/threads/start-thread.js';
import type { SearchResult, SearchTask } from './search-task.js';

export const SEARCH_THREADS = 2;
/** A task takes some milliseconds. A longer one is a regex that backtracks: others do not wait for its thread. */
const SLOW_MS = 500;
const MAX_REGEX_THREADS = 4;
/** A thread takes 40 ms to start, and one that is idle takes 10 MB. */
const IDLE_MS = 60_000;
/** How long a thread may work on for a search that was aborted. A regex cannot be interrupted otherwise. */
const ABORTED_MS = 200;

export class SearchTimeout extends Error {}

/** State that the tasks of a search share. Only the time in which one of them runs counts for its deadline. */
export class SearchBudget {
  private usedMs = 0;
  private runningSince = 0;
  private running = 0;
  private readonly ending = new AbortController();
  readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.ending.signal]);
  }

  taskBegins(): void {
    if (this.running === 0) this.runningSince = performance.now();
    this.running += 1;
  }

  taskEnds(): void {
    if (this.running === 1) this.usedMs = this.elapsedMs();
    this.running -= 1;
  }

  /** While a task runs. */
  elapsedMs(): number {
    return this.usedMs + performance.now() - this.runningSince;
  }

  /** Gives the search its whole time again. */
  restart(): void {
    this.usedMs = 0;
    this.runningSince = performance.now();
  }

  /** Ends the tasks that still run. */
  end(): void {
    this.ending.abort();
  }
}

interface Job {
  task: SearchTask;
  budget: SearchBudget;
  resolve: (result: SearchResult) => void;
  reject: (error: Error) => void;
}

/** Threads that search blocks. A task that takes longer than its search may is ended with its thread. */
export class SearchPool {
  private queue: Job[] = [];
  private readonly workers = new Set<Worker>();
  private readonly idle = new Set<Worker>();
  /** Tasks that run and are not slow, and regexes that run. */
  private busy = 0;
  private regexes = 0;
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly path: string,
    private readonly deadlineMs: number,
  ) {}

  /**
   * Runs a task when a thread is free.
   * @throws SearchTimeout if its search takes too long, and the reason of the signal
   */
  async run(task: SearchTask, budget: SearchBudget): Promise<SearchResult> {
    budget.signal.throwIfAborted();
    return await new Promise((resolve, reject) => {
      this.queue.push({ task, budget, resolve, reject });
      this.next();
    });
  }

  /** Ends the threads, because the file is another one now, or the store is closed. */
  close(): void {
    clearTimeout(this.idleTimer);
    this.idle.clear();
    for (const worker of this.workers) void worker.terminate();
  }

  /** Begins the tasks that can begin now, those that search for text first. */
  private next(): void {
    this.queue.sort((one, other) => Number(one.task.query.regex) - Number(other.task.query.regex));
    this.queue = this.queue.filter((job) => {
      if (!job.budget.signal.aborted) return !this.begin(job);
      job.reject(new SearchTimeout());
      return false;
    });
  }

  private begin({ task, budget, resolve, reject }: Job): boolean {
    const { regex } = task.query;
    if (this.busy === SEARCH_THREADS || (regex && this.regexes === MAX_REGEX_THREADS)) return false;
    const worker = this.idle.values().next().value ?? this.start();
    this.idle.delete(worker);
    clearTimeout(this.idleTimer);
    budget.taskBegins();
    this.busy += 1;
    this.regexes += regex ? 1 : 0;
    let isSlow = false;
    const yieldThread = guarded(() => {
      isSlow = regex;
      this.busy -= isSlow ? 1 : 0;
      this.next();
    }, 'begin the next search');
    const slow = setTimeout(yieldThread, SLOW_MS);
    const end = (): void => void worker.terminate();
    let timer = setTimeout(end, Math.max(0, this.deadlineMs - budget.elapsedMs()));
    const aborted = (): void => {
      clearTimeout(timer);
      timer = setTimeout(end, ABORTED_MS);
    };
    /** @param result the exit code if the thread has ended, or why it could not search */
    const settle = guarded(
      (result: SearchResult | string | number) => {
        clearTimeout(timer);
        clearTimeout(slow);
        this.busy -= isSlow ? 0 : 1;
        this.regexes -= regex ? 1 : 0;
        budget.signal.removeEventListener('abort', aborted);
        budget.taskEnds();
        worker.off('message', settle).off('exit', settle).unref();
        if (typeof result !== 'number') this.idle.add(worker);
        if (typeof result === 'object') resolve(result);
        else reject(typeof result === 'string' ? new Error(result) : new SearchTimeout());
        this.next();
        if (this.idle.size < this.workers.size) return;
        this.idleTimer = setTimeout(() => this.close(), IDLE_MS).unref();
      },
      (error) => reject(asError(error)),
    );
    budget.signal.addEventListener('abort', aborted, { once: true });
    worker.on('message', settle).on('exit', settle).ref();
    worker.postMessage(task);
    return true;
  }

  private start(): Worker {
    const worker = startThread(import.meta.url, 'search-thread', this.path);
    this.workers.add(worker);
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      this.workers.delete(worker);
      this.idle.delete(worker);
    });
    return worker;
  }
}
