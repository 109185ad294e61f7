import type { Hit } from '../../../shared/lines/hits';
import type { HitsWanted, WorkerWord } from './expression-hits';

/** As long as an expression may take for what is on the screen, in milliseconds. */
export const DEADLINE_MS = 1000;

/** The hits of each text; `slow` where the time was up, `broken` where nothing can look for them at all. */
export type Sought = readonly (readonly Hit[])[] | 'slow' | 'broken';

/** What is used of a worker. */
export interface SeekingWorker {
  onmessage: ((event: MessageEvent<WorkerWord>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage: (wanted: HitsWanted) => void;
  terminate: () => void;
}

/** Looks for an expression in a worker of its own, which is ended when it takes too long; the next call starts another. */
export class ExpressionSeeker {
  private worker: SeekingWorker | undefined;
  private isReady = false;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private answer: ((sought: Sought) => void) | undefined;

  constructor(
    private readonly expression: Omit<HitsWanted, 'texts'>,
    private readonly start: () => SeekingWorker = startWorker,
  ) {}

  /** One call at a time. */
  seek(texts: readonly string[]): Promise<Sought> {
    const { promise, resolve } = Promise.withResolvers<Sought>();
    this.answer = resolve;
    try {
      this.worker ??= this.begin();
      this.worker.postMessage({ ...this.expression, texts });
      // A machine that is busy takes its time to start one: that is not the expression's.
      if (this.isReady) this.watch();
    } catch {
      this.end('broken');
    }
    return promise;
  }

  close(): void {
    this.end('broken');
  }

  private begin(): SeekingWorker {
    const worker = this.start();
    worker.onmessage = ({ data }) => {
      if (data !== 'ready') this.tell(data ?? 'broken');
      else {
        this.isReady = true;
        if (this.answer) this.watch();
      }
    };
    worker.onerror = () => this.end('broken');
    return worker;
  }

  private watch(): void {
    this.deadline = setTimeout(() => this.end('slow'), DEADLINE_MS);
  }

  private tell(sought: Sought): void {
    clearTimeout(this.deadline);
    const { answer } = this;
    this.answer = undefined;
    answer?.(sought);
  }

  private end(sought: Sought): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.isReady = false;
    this.tell(sought);
  }
}

function startWorker(): SeekingWorker {
  return new Worker(new URL('./expression.worker', import.meta.url), { type: 'module' });
}
