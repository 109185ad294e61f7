import { computed, effect, inject, InjectionToken, Service, signal, untracked } from '@angular/core';
import type { ClientMessage, ServerMessage, Topic } from '../api/api-types';
import { SignInAgain } from '../session/sign-in-again';
import { SignInSession } from '../session/sign-in-session';
import { openSocket } from './open-socket';
import { PageVisibility } from './page-visibility';

/**
 * `live`: changes are pushed. `polling`: the socket is down and pages ask for themselves. `paused`: nobody
 * looks at this tab.
 */
export type LiveState = 'connecting' | 'live' | 'polling' | 'paused';

/** What a part of a page wants to be told of. */
export interface LiveListener {
  topics: readonly Topic[];
  onMessage: (message: ServerMessage) => void;
  /** Ask for everything anew: the subscription just began, or it is time to poll. */
  refresh: () => void;
  /** How often to ask while nothing is pushed. */
  pollEveryMs: number;
}

/** Opens the socket; a token, so that tests bring their own. */
export const OPEN_SOCKET = new InjectionToken<(query: string) => WebSocket>('OPEN_SOCKET', {
  providedIn: 'root',
  factory: () => (query) => openSocket('/events', query),
});

/** What the socket's address needs: a ticket where somebody is signed in, nothing elsewhere. */
export const SOCKET_QUERY = new InjectionToken<() => string | Promise<string>>('SOCKET_QUERY', {
  providedIn: 'root',
  factory: () => {
    const session = inject(SignInSession);
    const again = inject(SignInAgain);
    return () => (session.user() === null ? '' : again.socketQuery());
  },
});

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
const PING_EVERY_MS = 20_000;
const PONG_WITHIN_MS = 5_000;

/** The one socket of the page. Subscribes to what somebody shows; listeners poll while it is down. */
@Service()
export class LiveConnection {
  private readonly open = inject(OPEN_SOCKET);
  private readonly query = inject(SOCKET_QUERY);
  private readonly visibility = inject(PageVisibility);
  private readonly listeners = new Map<LiveListener, ReturnType<typeof setInterval> | undefined>();
  private readonly socketState = signal<'connecting' | 'live' | 'polling'>('connecting');
  /** Listeners that a pong will tell that their subscription stands. */
  private readonly unconfirmed = new Set<LiveListener>();
  private socket: WebSocket | undefined;
  /** The attempt that waits for its ticket; a pause makes it nobody's. */
  private awaited: Promise<string> | undefined;
  private attempts = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pinging: ReturnType<typeof setInterval> | undefined;
  private missingPong: ReturnType<typeof setTimeout> | undefined;

  readonly state = computed<LiveState>(() => (this.visibility.visible() ? this.socketState() : 'paused'));

  constructor() {
    effect(() => {
      const visible = this.visibility.visible();
      untracked(() => (visible ? this.resume() : this.pause()));
    });
  }

  /** Begins to listen; the answer ends it. */
  listen(listener: LiveListener): () => void {
    const had = this.wantedTopics();
    this.listeners.set(listener, undefined);
    if (this.visibility.visible()) {
      if (this.isOpen()) this.subscribe([listener], had);
      else {
        this.startPolling(listener);
        listener.refresh();
      }
    }
    return () => {
      clearInterval(this.listeners.get(listener));
      this.listeners.delete(listener);
      this.unconfirmed.delete(listener);
      const wanted = this.wantedTopics();
      const unwanted = listener.topics.filter((topic) => !wanted.has(topic));
      if (unwanted.length > 0) this.send({ type: 'unsubscribe', topics: [...unwanted] });
    };
  }

  private resume(): void {
    if (this.socket || this.awaited) return;
    for (const [listener, polling] of this.listeners) {
      // It has asked when it began to listen.
      if (polling !== undefined) continue;
      this.startPolling(listener);
      listener.refresh();
    }
    this.connect();
  }

  private pause(): void {
    clearTimeout(this.retry);
    this.attempts = 0;
    for (const listener of this.listeners.keys()) this.stopPolling(listener);
    const { socket } = this;
    this.forget();
    socket?.close();
    this.socketState.set('connecting');
  }

  private connect(): void {
    const query = this.query();
    if (typeof query === 'string') {
      this.attach(query);
      return;
    }
    this.awaited = query;
    query.then(
      (ticket) => {
        if (this.awaited !== query) return;
        this.awaited = undefined;
        this.attach(ticket);
      },
      () => {
        if (this.awaited === query) this.lost();
      },
    );
  }

  private attach(query: string): void {
    const socket = this.open(query);
    this.socket = socket;
    socket.onopen = () => {
      if (socket !== this.socket) return;
      this.attempts = 0;
      this.socketState.set('live');
      for (const listener of this.listeners.keys()) this.stopPolling(listener);
      this.subscribe([...this.listeners.keys()], new Set());
      this.pinging = setInterval(() => this.ping(), PING_EVERY_MS);
    };
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (socket === this.socket) this.receive(data);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.lost();
    };
  }

  private lost(): void {
    this.forget();
    this.socketState.set('polling');
    for (const listener of this.listeners.keys()) this.startPolling(listener);
    const delay = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.attempts);
    this.attempts += 1;
    // Spread, so that many tabs do not come back in one instant.
    this.retry = setTimeout(() => this.connect(), delay * (0.75 + Math.random() / 2));
  }

  private forget(): void {
    this.socket = undefined;
    this.awaited = undefined;
    this.unconfirmed.clear();
    clearInterval(this.pinging);
    clearTimeout(this.missingPong);
    this.missingPong = undefined;
  }

  private receive(data: unknown): void {
    const message = parse(data);
    if (!message) return;
    if (message.type === 'pong') {
      clearTimeout(this.missingPong);
      this.missingPong = undefined;
      const confirmed = [...this.unconfirmed];
      this.unconfirmed.clear();
      for (const listener of confirmed) listener.refresh();
      return;
    }
    const topic = topicOf(message);
    if (!topic) return;
    for (const listener of this.listeners.keys()) {
      if (listener.topics.includes(topic)) listener.onMessage(message);
    }
  }

  /**
   * The server reads in order: its pong says that the subscriptions stand. What is asked for after it
   * misses nothing, as later changes are pushed.
   */
  private subscribe(listeners: LiveListener[], had: Set<Topic>): void {
    if (listeners.length === 0) return;
    const topics = [...new Set(listeners.flatMap((listener) => listener.topics))].filter(
      (topic) => !had.has(topic),
    );
    if (topics.length > 0) this.send({ type: 'subscribe', topics });
    for (const listener of listeners) this.unconfirmed.add(listener);
    this.ping();
  }

  private ping(): void {
    this.send({ type: 'ping' });
    this.missingPong ??= setTimeout(() => {
      const { socket } = this;
      this.lost();
      socket?.close();
    }, PONG_WITHIN_MS);
  }

  private send(message: ClientMessage): void {
    if (this.isOpen()) this.socket?.send(JSON.stringify(message));
  }

  private isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  private wantedTopics(): Set<Topic> {
    return new Set([...this.listeners.keys()].flatMap((listener) => listener.topics));
  }

  private startPolling(listener: LiveListener): void {
    this.stopPolling(listener);
    this.listeners.set(listener, setInterval(listener.refresh, listener.pollEveryMs));
  }

  private stopPolling(listener: LiveListener): void {
    clearInterval(this.listeners.get(listener));
    this.listeners.set(listener, undefined);
  }
}

function topicOf(message: ServerMessage): Topic | undefined {
  switch (message.type) {
    case 'clusters':
    case 'stats':
    case 'journal':
      return message.type;
    case 'job':
      return 'jobs';
    case 'job_log':
      return `job:${message.job_id}`;
    case 'overview':
      return `overview:${message.runtime}/${message.cluster}`;
    case 'resources':
      return message.topic;
    case 'hello':
    case 'error':
    case 'pong':
      return undefined;
  }
}

function parse(data: unknown): ServerMessage | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    return JSON.parse(data) as ServerMessage;
  } catch {
    return undefined;
  }
}
