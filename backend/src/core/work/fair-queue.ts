import { DomainError } from '../errors/domain-error.js';
import { currentActor, currentRequestId, type Actor } from '../logging/request-context.js';

interface Waiting {
  /** Undefined for a task of Slipway itself. */
  requestId: string | undefined;
  start: () => void;
}

/** Lets one call run at a time. Clients take turns, so that many calls of one do not delay the others. */
export class FairQueue {
  /** By client, in the order of their turns. */
  private readonly waiting = new Map<string, Waiting[]>();
  private isRunning = false;

  /** @param most maximum number of requests of one client that wait. One request can have several calls. */
  constructor(private readonly most: number) {}

  /**
   * Waits for the turn of the current client.
   * @returns what ends the turn, and returns whether another call is next.
   * @throws DomainError `too_many_requests`
   */
  async enter(): Promise<() => boolean> {
    if (this.isRunning) await this.wait();
    this.isRunning = true;
    return () => this.next();
  }

  private async wait(): Promise<void> {
    const client = keyOf(currentActor());
    const requestId = currentRequestId();
    const calls = this.waiting.get(client) ?? [];
    const requests = new Set(calls.map((call) => call.requestId)).add(requestId);
    if (requestId !== undefined && requests.size > this.most) {
      throw new DomainError(
        'too_many_requests',
        `${this.most} requests with large texts already wait. Wait until one has ended.`,
      );
    }
    this.waiting.set(client, calls);
    await new Promise<void>((resolve) => calls.push({ requestId, start: resolve }));
  }

  private next(): boolean {
    const [client, calls = []] = this.waiting.entries().next().value ?? [''];
    const call = calls.shift();
    this.waiting.delete(client);
    if (calls.length > 0) this.waiting.set(client, calls);
    this.isRunning = call !== undefined;
    call?.start();
    return this.isRunning;
  }
}

/** The same for all sessions of a user with the same scope: each further sign-in would gain turns. Read-only ones have a name. */
function keyOf({ kind, user, id, name, address }: Actor): string {
  if (kind === 'session') return [kind, user, name].join(' ');
  return (kind === 'token' ? [kind, id] : [kind, address]).join(' ');
}
