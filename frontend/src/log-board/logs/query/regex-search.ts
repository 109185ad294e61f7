import type { Hit } from '../../../shared/lines/hits';
import type { RegexRequest, RegexResponse } from './regex-hits';

/** As long as an expression may take for what is on the screen, in milliseconds. */
export const DEADLINE_MS = 1000;

/** The hits of each text; `slow` where the time was up, `broken` where nothing can look for them at all. */
export type RegexResult = readonly (readonly Hit[])[] | 'slow' | 'broken';

/** What is used of a worker. */
export interface RegexWorker {
  onmessage: ((event: MessageEvent<RegexResponse>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage: (wanted: RegexRequest) => void;
  terminate: () => void;
}

/** Looks for an expression in a worker of its own, which is ended when it takes too long; the next call starts another. */
export class RegexSearch {
  private worker: RegexWorker | undefined;
  private isReady = false;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private answer: ((sought: RegexResult) => void) | undefined;

  constructor(
    private readonly expression: Omit<RegexRequest, 'texts'>,
    private readonly start: () => RegexWorker = startWorker,
  ) {}

  /** One call at a time. */
  seek(texts: readonly string[]): Promise<RegexResult> {
    const { promise, resolve } = Promise.withResolvers<RegexResult>();
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

  private begin(): RegexWorker {
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

  private tell(sought: RegexResult): void {
    clearTimeout(this.deadline);
    const { answer } = this;
    this.answer = undefined;
    answer?.(sought);
  }

  private end(sought: RegexResult): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.isReady = false;
    this.tell(sought);
  }
}

function startWorker(): RegexWorker {
  return new Worker(new URL('./regex.worker', import.meta.url), { type: 'module' });
}
