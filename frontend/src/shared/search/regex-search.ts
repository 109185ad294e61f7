import type { Hit } from '../lines/hits';
import type { RegexRequest, RegexResponse } from './regex-hits';

/** Time limit for the lines of a screen, in milliseconds. */
export const DEADLINE_MS = 1000;

/** The hits of each text; `slow` after a timeout, `broken` if the regex or the worker does not work. */
export type RegexResult = readonly (readonly Hit[])[] | 'slow' | 'broken';

export interface RegexWorker {
  onmessage: ((event: MessageEvent<RegexResponse>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage: (wanted: RegexRequest) => void;
  terminate: () => void;
}

/** Runs a regex in a worker, which is terminated after a timeout; the next call starts another. */
export class RegexSearch {
  private worker: RegexWorker | undefined;
  private isReady = false;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private answer: ((result: RegexResult) => void) | undefined;

  constructor(
    private readonly regex: Omit<RegexRequest, 'texts'>,
    private readonly start: () => RegexWorker = createWorker,
  ) {}

  /** Call it again only after it has resolved. */
  run(texts: readonly string[]): Promise<RegexResult> {
    const { promise, resolve } = Promise.withResolvers<RegexResult>();
    this.answer = resolve;
    try {
      this.worker ??= this.startWorker();
      this.worker.postMessage({ ...this.regex, texts });
      // The start of the worker does not count as time of the regex.
      if (this.isReady) this.startDeadline();
    } catch {
      this.end('broken');
    }
    return promise;
  }

  close(): void {
    this.end('broken');
  }

  private startWorker(): RegexWorker {
    const worker = this.start();
    worker.onmessage = ({ data }) => {
      if (data !== 'ready') this.settle(data ?? 'broken');
      else {
        this.isReady = true;
        if (this.answer) this.startDeadline();
      }
    };
    worker.onerror = () => this.end('broken');
    return worker;
  }

  private startDeadline(): void {
    this.deadline = setTimeout(() => this.end('slow'), DEADLINE_MS);
  }

  private settle(result: RegexResult): void {
    clearTimeout(this.deadline);
    const { answer } = this;
    this.answer = undefined;
    answer?.(result);
  }

  private end(result: RegexResult): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.isReady = false;
    this.settle(result);
  }
}

function createWorker(): RegexWorker {
  return new Worker(new URL('./regex.worker', import.meta.url), { type: 'module' });
}
