import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../core/threads/start-thread.js';
import type { SearchTask, SearchTaskResult } from './search-messages.js';

export const SEARCH_THREADS = 2;
/** A task takes some milliseconds. A longer one is a regex that backtracks: others do not wait for its thread. */
const SLOW_MS = 500;
const MAX_REGEX_THREADS = 4;
/** A thread takes 40 ms to start, and one that is idle takes 10 MB. */
const IDLE_MS = 60_000;
/** How long a thread may work on for a search that was aborted. A regex cannot be interrupted otherwise. */
const ABORTED_MS = 200;

/** The deadline of a search has passed. */
export class SearchTimeout extends Error {}

interface Job {
  task: SearchTask;
  /** Milliseconds that it may run, asked for when it begins. */
  budget: () => number;
  signal: AbortSignal;
  isSlow?: boolean;
  resolve: (result: SearchTaskResult) => void;
  reject: (error: Error) => void;
}

/** Threads that search blocks. A task that takes longer than its search may is ended with its thread. */
export class SearchPool {
  private readonly queue: Job[] = [];
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  private readonly running = new Set<Job>();
  private idleTimer: NodeJS.Timeout | undefined;

  /** @param deadlineMs how long a search may take */
  constructor(
    private readonly path: string,
    readonly deadlineMs: number,
  ) {}

  /**
   * Runs a task when a thread is free.
   * @throws SearchTimeout if it takes longer than its budget, and the reason of the signal
   */
  async run(job: Pick<Job, 'task' | 'budget' | 'signal'>): Promise<SearchTaskResult> {
    job.signal.throwIfAborted();
    return await new Promise<SearchTaskResult>((resolve, reject) => {
      this.queue.push({ ...job, resolve, reject });
      this.next();
    });
  }

  /** Ends the threads, because the file is another one now, or the store is closed. */
  close(): void {
    clearTimeout(this.idleTimer);
    this.idle.length = 0;
    for (const worker of this.all) void worker.terminate();
  }

  private next(): void {
    const aborted = this.queue.findIndex(({ signal }) => signal.aborted);
    if (aborted >= 0) this.queue.splice(aborted, 1)[0]?.reject(new SearchTimeout());
    const running = [...this.running];
    const isRegex = ({ task }: Job): boolean => task.query.regex;
    if (this.queue.length === 0 || running.filter(({ isSlow }) => !isSlow).length >= SEARCH_THREADS) return;
    // Searches for text go first, and regexes do not take all threads.
    const plain = this.queue.findIndex((job) => !isRegex(job));
    if (plain < 0 && running.filter(isRegex).length >= MAX_REGEX_THREADS) return;
    const [job] = this.queue.splice(Math.max(plain, 0), 1);
    if (job) this.work(this.idle.pop() ?? this.start(), job);
    this.next();
  }

  private start(): Worker {
    const worker = startThread(import.meta.url, 'search-thread', this.path);
    this.all.add(worker);
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      this.all.delete(worker);
      const at = this.idle.indexOf(worker);
      if (at >= 0) this.idle.splice(at, 1);
    });
    return worker;
  }

  private work(worker: Worker, job: Job): void {
    const { task, budget, signal, resolve, reject } = job;
    clearTimeout(this.idleTimer);
    this.running.add(job);
    const end = (): void => void worker.terminate();
    let timer = setTimeout(end, Math.max(0, budget()));
    const aborted = (): void => {
      clearTimeout(timer);
      timer = setTimeout(end, ABORTED_MS);
    };
    signal.addEventListener('abort', aborted, { once: true });
    const slow = setTimeout(() => {
      job.isSlow = true;
      this.next();
    }, SLOW_MS);
    const settle = (): void => {
      clearTimeout(timer);
      clearTimeout(slow);
      this.running.delete(job);
      signal.removeEventListener('abort', aborted);
      worker.off('exit', failed);
    };
    const failed = (): void => {
      settle();
      reject(new SearchTimeout());
      this.next();
    };
    worker.once('exit', failed);
    worker.once('message', (result: SearchTaskResult | string) => {
      settle();
      if (typeof result === 'string') reject(new Error(result));
      else resolve(result);
      worker.unref();
      this.idle.push(worker);
      this.rest();
      this.next();
    });
    worker.ref();
    worker.postMessage(task);
  }

  private rest(): void {
    if (this.idle.length < this.all.size) return;
    this.idleTimer = setTimeout(() => this.close(), IDLE_MS).unref();
  }
}
