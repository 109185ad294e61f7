import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../core/threads/index.js';
import type {
  SearchAnswer,
  SearchPlaces,
  SearchRequest,
  SearchTask,
  ThreadAnswer,
} from './search-messages.js';

/** Threads that search side by side. */
export const SEARCH_THREADS = 2;
/** One that is busy for longer than this does not count, so that a bad expression does not keep others waiting. */
const SLOW_MS = 250;
const MOST_THREADS = 8;
const REST_MS = 30_000;
const PATIENCE_MS = 5000;
/** What nobody waits for any more may come to its end within this. */
const ABORTED_MS = 100;

/** Thrown for a task that did not come to its end in time. */
export class SearchTimeout extends Error {}
/** Thrown for a task that nobody wants any more. */
export class SearchAborted extends Error {}

interface Job {
  id: number;
  task: SearchTask;
  signal: AbortSignal;
  resolve: (answer: SearchAnswer) => void;
  reject: (error: Error) => void;
  stop: () => void;
}

interface Thread {
  worker: Worker;
  job: Job | undefined;
  isReady: boolean;
  /** When its task was begun. */
  since: number;
  timer: NodeJS.Timeout | undefined;
}

/** Threads that search. They are made when they are needed, and end when they rest. */
export class SearchPool {
  private readonly threads = new Set<Thread>();
  private readonly queue: Job[] = [];
  private lastJob = 0;
  private lastSearch = 0;
  private growTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly places: SearchPlaces,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** A number for the tasks of one search. */
  nextSearch(): number {
    this.lastSearch += 1;
    return this.lastSearch;
  }

  /** @throws SearchTimeout, SearchAborted, or Error where something cannot be read. */
  async run(task: SearchTask, signal: AbortSignal): Promise<SearchAnswer> {
    if (signal.aborted) throw new SearchAborted();
    const { promise, resolve, reject } = Promise.withResolvers<SearchAnswer>();
    this.lastJob += 1;
    const job: Job = { id: this.lastJob, task, signal, resolve, reject, stop: () => this.abort(job) };
    signal.addEventListener('abort', job.stop, { once: true });
    this.queue.push(job);
    this.assign();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', job.stop);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.growTimer);
    for (const job of this.queue.splice(0)) job.reject(new SearchAborted());
    await Promise.all(
      [...this.threads].map((thread) => {
        thread.job?.reject(new SearchAborted());
        return this.end(thread);
      }),
    );
  }

  private assign(): void {
    while (this.queue.length > 0) {
      const thread = [...this.threads].find(({ job }) => !job) ?? this.grow();
      if (!thread) {
        // One that is busy now may be slow in a moment.
        this.growTimer ??= setTimeout(() => {
          this.growTimer = undefined;
          this.assign();
        }, SLOW_MS / 2).unref();
        return;
      }
      this.give(thread, this.queue.shift() as Job);
    }
  }

  private grow(): Thread | undefined {
    const now = performance.now();
    const quick = [...this.threads].filter(({ since }) => now - since < SLOW_MS);
    if (quick.length >= SEARCH_THREADS || this.threads.size >= MOST_THREADS) return undefined;
    const thread: Thread = {
      worker: startThread(import.meta.url, 'search-thread', this.places, {
        resourceLimits: { maxYoungGenerationSizeMb: 12 },
      }),
      job: undefined,
      isReady: false,
      since: now,
      timer: undefined,
    };
    thread.worker.on('message', (answer: ThreadAnswer) => this.take(thread, answer));
    thread.worker.on('error', (error: Error) => {
      this.threads.delete(thread);
      thread.job?.reject(error);
      this.assign();
    });
    thread.worker.on('exit', () => this.threads.delete(thread));
    thread.worker.unref();
    this.threads.add(thread);
    return thread;
  }

  private give(thread: Thread, job: Job): void {
    thread.job = job;
    if (thread.isReady) this.clock(thread);
    this.post(thread, { type: 'task', id: job.id, task: job.task });
  }

  /** Gives a thread the time that a task may take. */
  private clock(thread: Thread): void {
    thread.since = performance.now();
    clearTimeout(thread.timer);
    thread.timer = setTimeout(() => void this.expire(thread, new SearchTimeout()), this.patienceMs);
  }

  private take(thread: Thread, answer: ThreadAnswer): void {
    if (answer.id === 0) {
      // Its start is none of a task's time.
      thread.isReady = true;
      if (thread.job) this.clock(thread);
      return;
    }
    const { job } = thread;
    if (job?.id !== answer.id || !('answer' in answer || 'reason' in answer)) return;
    thread.job = undefined;
    clearTimeout(thread.timer);
    thread.timer = setTimeout(() => void this.end(thread), REST_MS).unref();
    if ('reason' in answer) job.reject(new Error(`the lines could not be searched: ${answer.reason}`));
    else job.resolve(answer.answer);
    this.assign();
  }

  private abort(job: Job): void {
    const queued = this.queue.indexOf(job);
    if (queued >= 0) {
      this.queue.splice(queued, 1);
      job.reject(new SearchAborted());
      return;
    }
    const thread = [...this.threads].find((candidate) => candidate.job === job);
    if (!thread) return;
    clearTimeout(thread.timer);
    thread.timer = setTimeout(() => void this.expire(thread, new SearchAborted()), ABORTED_MS);
  }

  /** Ends a thread with what it is busy with. */
  private async expire(thread: Thread, error: Error): Promise<void> {
    this.threads.delete(thread);
    thread.job?.reject(error);
    thread.job = undefined;
    await thread.worker.terminate();
    this.assign();
  }

  private async end(thread: Thread): Promise<void> {
    clearTimeout(thread.timer);
    this.threads.delete(thread);
    if (thread.job) {
      await thread.worker.terminate();
      return;
    }
    thread.worker.ref();
    const ended = new Promise((resolve) => thread.worker.once('exit', resolve));
    this.post(thread, { type: 'end' });
    await ended;
  }

  private post(thread: Thread, request: SearchRequest): void {
    thread.worker.postMessage(request);
  }
}
