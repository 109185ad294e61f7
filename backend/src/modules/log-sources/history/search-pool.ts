import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../core/threads/index.js';
import { LinesAtBoard, type LinesAt } from './lines-at.js';
import type {
  SearchAnswer,
  SearchPlaces,
  SearchRequest,
  SearchTask,
  ThreadAnswer,
  ThreadBegin,
} from './search-messages.js';

/** Threads that search side by side. */
export const SEARCH_THREADS = 2;
/** One that is busy for longer than this does not count, so that a bad expression does not keep others waiting. */
const SLOW_MS = 250;
const MOST_THREADS = 8;
/** Of these. Expressions that do not come to an end keep others waiting, but never a search that is of none. */
const MOST_EXPRESSIONS = 4;
const REST_MS = 30_000;
const PATIENCE_MS = 5000;
/** What each piece of a task has of that, beside one more, while others wait for its thread. */
const HURRIED_PART = 1 / 10;
/** What a task has of that after another one of its search exploded, whether others wait or not. */
const WARY_PART = 1 / 5;
/** What nobody waits for any more may come to its end within this. */
const ABORTED_MS = 100;

/** Thrown for a task that did not come to its end in time. */
export class SearchTimeout extends Error {}
/** The same, where it is known with which lines. */
export class SearchExploded extends SearchTimeout {
  constructor(
    readonly at: LinesAt,
    readonly tookMs: number,
  ) {
    super();
  }
}
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
  at: LinesAtBoard;
  job: Job | undefined;
  isReady: boolean;
  /** When its task was begun. */
  since: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Threads that search. They are made when they are needed, and end when they rest. Searches take turns for them; while
 * some wait, an expression has less time, so that many that explode are soon over.
 */
export class SearchPool {
  private readonly threads = new Set<Thread>();
  private readonly queue: Job[] = [];
  /** When searches that are at work had a thread last, in turns. */
  private readonly served = new Map<number, number>();
  private lastTurn = 0;
  private lastJob = 0;
  private lastSearch = 0;
  private growTimer: NodeJS.Timeout | undefined;

  /**
   * @param isKnownWhere asked where a piece is not there any more: whether the index tells of all lines where they are.
   * Otherwise the search has not come to its end
   */
  constructor(
    private readonly places: SearchPlaces,
    readonly patienceMs = PATIENCE_MS,
    private readonly isKnownWhere = (_signal: AbortSignal): Promise<boolean> => Promise.resolve(true),
  ) {}

  /** A number for the tasks of one search. */
  nextSearch(): number {
    this.lastSearch += 1;
    return this.lastSearch;
  }

  /** @throws SearchTimeout, SearchExploded, SearchAborted, or Error where something cannot be read. */
  async run(task: SearchTask, signal: AbortSignal): Promise<SearchAnswer> {
    if (signal.aborted) throw new SearchAborted();
    const { promise, resolve, reject } = Promise.withResolvers<SearchAnswer>();
    this.lastJob += 1;
    const job: Job = { id: this.lastJob, task, signal, resolve, reject, stop: () => this.abort(job) };
    signal.addEventListener('abort', job.stop, { once: true });
    this.queue.push(job);
    this.assign();
    try {
      const answer = await promise;
      const isGone = answer.units.some(({ gone }) => gone);
      if (isGone && !(await this.isKnownWhere(signal))) {
        throw endOf(signal);
      }
      return answer;
    } finally {
      signal.removeEventListener('abort', job.stop);
      this.forgetTurn(task.search);
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
    // Those without an expression first: they are soon over.
    for (const regex of [false, true]) {
      for (let job = this.nextJob(regex); job; job = this.nextJob(regex)) {
        const thread = [...this.threads].find((candidate) => !candidate.job) ?? this.grow(regex);
        if (!thread) break;
        this.queue.splice(this.queue.indexOf(job), 1);
        this.give(thread, job);
      }
    }
    if (this.queue.length === 0) return;
    this.hurry();
    // One that is busy now may be slow in a moment.
    this.growTimer ??= setTimeout(() => {
      this.growTimer = undefined;
      this.assign();
    }, SLOW_MS / 2).unref();
  }

  /** Whose turn it is, if any may have a thread: one that never exploded, the search with the fewest, and of those who had one the longest ago. */
  private nextJob(regex: boolean): Job | undefined {
    if (regex && this.atWork(true).length >= MOST_EXPRESSIONS) return undefined;
    const jobs = this.queue.filter(({ task }) => task.query.regex === regex);
    const busy = new Map<number, number>();
    for (const { job } of this.atWork(regex)) {
      if (job) busy.set(job.task.search, (busy.get(job.task.search) ?? 0) + 1);
    }
    const rank = ({ task: { search, isWary } }: Job): [number, number, number] => [
      isWary ? 1 : 0,
      busy.get(search) ?? 0,
      this.served.get(search) ?? 0,
    ];
    return jobs.reduce<Job | undefined>((best, job) => {
      if (!best) return job;
      const [wary, threads, turn] = rank(job);
      const [least, fewest, first] = rank(best);
      return (wary - least || threads - fewest || turn - first) < 0 ? job : best;
    }, undefined);
  }

  /** Threads with a task of an expression, or those with another one. */
  private atWork(regex: boolean): Thread[] {
    return [...this.threads].filter(({ job }) => job?.task.query.regex === regex);
  }

  /** Ends expressions that have been at it for long, where others wait for their threads. */
  private hurry(): void {
    const expressions = this.atWork(true);
    if (expressions.length < MOST_EXPRESSIONS && this.threads.size < MOST_THREADS) return;
    const now = performance.now();
    for (const thread of expressions) {
      const part = HURRIED_PART * (1 + (thread.job?.task.units.length ?? 0));
      if (thread.isReady && now - thread.since > this.patienceMs * Math.min(1, part)) {
        this.expireAfter(0, thread, () => this.explode(thread));
      }
    }
  }

  private grow(regex: boolean): Thread | undefined {
    const now = performance.now();
    const quick = this.atWork(regex).filter(({ since }) => now - since < SLOW_MS);
    if (quick.length >= SEARCH_THREADS || this.threads.size >= MOST_THREADS) return undefined;
    const at = new LinesAtBoard();
    const begin: ThreadBegin = { places: this.places, at: at.numbers };
    const thread: Thread = {
      worker: startThread(import.meta.url, 'search-thread', begin, {
        resourceLimits: { maxYoungGenerationSizeMb: 12 },
      }),
      at,
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

  /** A search that has nothing to do any more is forgotten. */
  private forgetTurn(search: number): void {
    const isOf = (job: Job | undefined): boolean => job?.task.search === search;
    if (!this.queue.some(isOf) && ![...this.threads].some(({ job }) => isOf(job))) this.served.delete(search);
  }

  private give(thread: Thread, job: Job): void {
    thread.job = job;
    this.lastTurn += 1;
    this.served.set(job.task.search, this.lastTurn);
    if (thread.isReady) this.clock(thread);
    thread.at.clear();
    this.post(thread, { type: 'task', id: job.id, task: job.task });
  }

  /** Gives a thread the time that a task may take. */
  private clock(thread: Thread): void {
    thread.since = performance.now();
    const part = thread.job?.task.isWary ? WARY_PART : 1;
    this.expireAfter(this.patienceMs * part, thread, () => this.explode(thread));
  }

  /**
   * Gives up what a thread is busy with, unless it comes to its end by then. Where this thread was held up itself, what
   * came meanwhile is looked at first: a timer that is due goes before a message that has been there for long.
   */
  private expireAfter(ms: number, thread: Thread, expire: () => Promise<void>): void {
    const { job } = thread;
    clearTimeout(thread.timer);
    thread.timer = setTimeout(() => {
      setImmediate(() => {
        if (thread.job === job) void expire();
      });
    }, ms);
  }

  private take(thread: Thread, answer: ThreadAnswer): void {
    if (answer.id === 0) {
      // Its start is none of a task's time.
      thread.isReady = true;
      // What is aborted ends soon, whatever its thread was at.
      if (thread.job && !thread.job.signal.aborted) this.clock(thread);
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
    if (thread) this.expireAfter(ABORTED_MS, thread, () => this.expire(thread, new SearchAborted()));
  }

  /** Ends a thread whose task does not come to its end. */
  private async explode(thread: Thread): Promise<void> {
    const at = thread.at.read();
    const took = performance.now() - thread.since;
    await this.expire(thread, at ? new SearchExploded(at, took) : new SearchTimeout());
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

/** Why what did not come to its end is over. */
function endOf(signal: AbortSignal): Error {
  return signal.aborted ? new SearchAborted() : new SearchTimeout();
}
