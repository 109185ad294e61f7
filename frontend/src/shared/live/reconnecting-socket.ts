import { signal, untracked } from '@angular/core';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;

export interface SocketListener<In> {
  /** The server has greeted a new connection; it knows no subscriptions yet. */
  onOpen: () => void;
  onMessage: (message: In) => void;
}

interface SocketOptions<In> extends SocketListener<In> {
  open: (query: string) => WebSocket;
  /** The query of the address, which carries a one-time ticket; null while there is no session. */
  query: () => string | Promise<string | null>;
  /** The connection failed or was closed, and a retry is scheduled. */
  onLost?: () => void;
  /** The action after the server closed with this code; default `retry`. */
  afterClose?: (code: number) => 'retry' | 'reconnect' | 'wait';
}

/**
 * A WebSocket that reconnects with growing delays until it is closed. `open` begins with the server's greeting
 * (`hello`). Without a session it waits for the next `connect`.
 */
export class ReconnectingSocket<In extends { type: string }, Out> {
  private readonly current = signal<'connecting' | 'open' | 'lost'>('connecting');
  /** The socket, or a promise of the query while it is requested; undefined between attempts. */
  private attempt: WebSocket | Promise<string | null> | undefined;
  private failures = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;

  readonly state = this.current.asReadonly();

  constructor(private readonly options: SocketOptions<In>) {}

  get isActive(): boolean {
    return this.attempt !== undefined;
  }

  /** Connects at once; does nothing while a connection is open or on its way. */
  connect(): void {
    if (this.isActive) return;
    clearTimeout(this.retry);
    const query = this.options.query();
    if (typeof query === 'string') {
      this.attach(query);
      return;
    }
    this.attempt = query;
    query.then(
      (text) => {
        if (this.attempt !== query) return;
        if (text === null) this.wait();
        else this.attach(text);
      },
      () => {
        if (this.attempt === query) this.lose();
      },
    );
  }

  close(): void {
    clearTimeout(this.retry);
    this.failures = 0;
    this.abandon();
    this.current.set('connecting');
  }

  /** Gives up a connection that no longer responds; the next attempt follows as after a loss. */
  drop(): void {
    this.abandon();
    this.lose();
  }

  /** Sends nothing unless the connection is open. */
  send(message: Out): void {
    const { attempt } = this;
    // A closing socket counts as open until its close event.
    if (untracked(this.current) !== 'open' || !attempt || !('readyState' in attempt)) return;
    if (attempt.readyState === WebSocket.OPEN) attempt.send(JSON.stringify(message));
  }

  private attach(query: string): void {
    const socket = this.options.open(query);
    this.attempt = socket;
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (socket === this.attempt) this.receive(data);
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.attempt) return;
      const next = this.options.afterClose?.(code) ?? 'retry';
      if (next === 'retry') this.lose();
      else if (next === 'wait') this.wait();
      else {
        this.attempt = undefined;
        this.current.set('connecting');
        this.connect();
      }
    };
  }

  private receive(data: unknown): void {
    const message = parse(data) as In | undefined;
    if (message?.type === 'hello') {
      this.failures = 0;
      this.current.set('open');
      this.options.onOpen();
    } else if (message) this.options.onMessage(message);
  }

  private lose(): void {
    this.wait();
    const delay = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.failures);
    this.failures += 1;
    // Random, so that many tabs do not reconnect at the same moment.
    this.retry = setTimeout(() => this.connect(), delay * (0.75 + Math.random() / 2));
    this.options.onLost?.();
  }

  private wait(): void {
    this.attempt = undefined;
    this.current.set('lost');
  }

  private abandon(): void {
    const { attempt } = this;
    this.attempt = undefined;
    if (attempt && 'close' in attempt) attempt.close();
  }
}

function parse(data: unknown): unknown {
  if (typeof data !== 'string') return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
