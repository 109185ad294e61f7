import { guarded } from '../../core/errors/index.js';

/** Limits the requests per second of one client, so that a shared API server is not overloaded by it. */
export class RequestBudget {
  private tokens: number;
  private countedAt: number;
  private readonly waiting: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** @param perSecond on average; a burst may have twice as many */
  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.tokens = perSecond * 2;
    this.countedAt = now();
  }

  /**
   * Waits for its turn. The newest request is first: a page that was just opened does not wait for the two hundred kinds
   * of the overview before it.
   * @param isPatient watches are last, because what they watch was just listed
   * @throws the reason of the signal
   */
  async take(signal: AbortSignal, isPatient = false): Promise<void> {
    signal.throwIfAborted();
    if (this.waiting.length === 0 && this.isPaid()) return;
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(proceed), 1);
        reject(signal.reason as Error);
      };
      const proceed = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      if (isPatient) this.waiting.unshift(proceed);
      else this.waiting.push(proceed);
      this.proceedLater();
    });
  }

  private proceedLater(): void {
    if (this.timer || this.waiting.length === 0) return;
    const proceed = guarded(() => {
      this.timer = undefined;
      while (this.waiting.length > 0 && this.isPaid()) this.waiting.pop()?.();
      this.proceedLater();
    }, 'send the requests that wait');
    this.timer = setTimeout(proceed, Math.ceil(((1 - this.tokens) / this.perSecond) * 1000));
  }

  private isPaid(): boolean {
    const at = this.now();
    this.tokens = Math.min(this.perSecond * 2, this.tokens + ((at - this.countedAt) / 1000) * this.perSecond);
    this.countedAt = at;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
