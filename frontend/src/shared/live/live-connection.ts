import { computed, effect, inject, InjectionToken, Service, signal, untracked } from '@angular/core';
import type { ClientMessage, ServerMessage, Topic } from '../api/api-types';
import { PageVisibility } from '../browser/page-visibility';
import { SignInAgain } from '../session/sign-in-again';
import { SignInSession } from '../session/sign-in-session';
import { Heartbeat } from './heartbeat';
import { openSocket } from './open-socket';
import { ReconnectingSocket } from './reconnecting-socket';
import type { ServerConnection } from './server-connection';

/** `live`: changes are pushed. `polling`: the socket is down and listeners poll. `paused`: the tab is hidden. */
export type LiveState = 'connecting' | 'live' | 'polling' | 'paused';

const STATES = { connecting: 'connecting', open: 'live', lost: 'polling' } as const;

export interface LiveListener {
  topics: readonly Topic[];
  onMessage: (message: ServerMessage) => void;
  /** Load everything: the subscription has just started, or it is time to poll. */
  refresh: () => void;
  pollEveryMs: number;
  /** The position of the table that was read, if the topic is one: its changes since then follow. */
  after?: () => string | null;
}

/** Opens the socket; a token, so that tests can replace it. */
export const OPEN_SOCKET = new InjectionToken<(query: string) => WebSocket>('OPEN_SOCKET', {
  providedIn: 'root',
  factory: () => (query) => openSocket('/events', query),
});

/** The query of the socket's address: a ticket if the user is signed in, empty if sign-in is off. */
export const SOCKET_QUERY = new InjectionToken<() => string | Promise<string>>('SOCKET_QUERY', {
  providedIn: 'root',
  factory: () => {
    const session = inject(SignInSession);
    const again = inject(SignInAgain);
    return () => (session.user() === null ? '' : again.socketQuery());
  },
});

/** The dashboard's one socket. Subscribes to the topics of all listeners; they poll while it is down. */
@Service()
export class LiveConnection implements ServerConnection {
  private readonly visibility = inject(PageVisibility);
  private readonly added = new Set<LiveListener>();
  /** The added listeners, except those that wait while the tab is hidden; with their polling timers. */
  private readonly listeners = new Map<LiveListener, ReturnType<typeof setInterval> | undefined>();
  /** Listeners that the next pong tells to refresh: it proves that the server has their subscriptions. */
  private readonly unconfirmed = new Set<LiveListener>();
  private readonly socket = new ReconnectingSocket<ServerMessage, ClientMessage>({
    open: inject(OPEN_SOCKET),
    query: inject(SOCKET_QUERY),
    onOpen: () => this.opened(),
    onMessage: (message) => this.receive(message),
    onLost: () => this.lost(),
  });
  private readonly heartbeat = new Heartbeat({
    isVisible: this.visibility.visible,
    ping: () => this.socket.send({ type: 'ping' }),
    drop: () => this.socket.drop(),
  });

  readonly state = computed<LiveState>(() =>
    this.visibility.visible() ? STATES[this.socket.state()] : 'paused',
  );

  readonly presence = computed(() => {
    const state = this.visibility.visible() ? this.socket.state() : 'connecting';
    return state === 'open' && this.heartbeat.isQuiet() ? 'quiet' : state;
  });

  /** Its listeners stay connected while the tab is hidden; null if none do. */
  readonly topicWhileHidden = signal<Topic | null>(null);

  constructor() {
    effect(() => {
      const isNeeded = this.visibility.visible() || this.topicWhileHidden() !== null;
      untracked(() => {
        if (!isNeeded) this.close();
        this.update();
        if (isNeeded) this.socket.connect();
      });
    });
  }

  /** Adds a listener; call the result to remove it. */
  listen(listener: LiveListener): () => void {
    this.added.add(listener);
    this.update();
    return () => {
      this.added.delete(listener);
      this.update();
    };
  }

  reconnect(): void {
    this.socket.connect();
  }

  /** Begins to serve listeners, or ends it, as the visibility of the tab requires. */
  private update(): void {
    const [visible, topic] = untracked(() => [this.visibility.visible(), this.topicWhileHidden()]);
    const wanted = [...this.added].filter(
      ({ topics }) => visible || (topic !== null && topics.includes(topic)),
    );
    this.release([...this.listeners.keys()].filter((listener) => !wanted.includes(listener)));
    this.serve(wanted.filter((listener) => !this.listeners.has(listener)));
  }

  private serve(listeners: LiveListener[]): void {
    const had = this.wantedTopics();
    for (const listener of listeners) this.listeners.set(listener, undefined);
    if (untracked(this.socket.state) === 'open') {
      this.subscribe(listeners, had);
      return;
    }
    for (const listener of listeners) {
      this.startPolling(listener);
      listener.refresh();
    }
  }

  private release(listeners: LiveListener[]): void {
    for (const listener of listeners) {
      this.stopPolling(listener);
      this.listeners.delete(listener);
      this.unconfirmed.delete(listener);
    }
    const wanted = this.wantedTopics();
    const topics = new Set(listeners.flatMap((listener) => listener.topics));
    const unwanted = [...topics].filter((topic) => !wanted.has(topic));
    if (unwanted.length > 0) this.socket.send({ type: 'unsubscribe', topics: unwanted });
  }

  private close(): void {
    this.stopPinging();
    this.socket.close();
  }

  private opened(): void {
    for (const listener of this.listeners.keys()) this.stopPolling(listener);
    this.heartbeat.start();
    this.subscribe([...this.listeners.keys()], new Set());
  }

  private lost(): void {
    this.stopPinging();
    for (const listener of this.listeners.keys()) this.startPolling(listener);
  }

  private stopPinging(): void {
    this.unconfirmed.clear();
    this.heartbeat.stop();
  }

  private receive(message: ServerMessage): void {
    if (message.type === 'pong') {
      this.heartbeat.pong();
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
   * The server reads in order, so its pong confirms the subscriptions: what is loaded after it misses nothing, as
   * later changes are pushed.
   */
  private subscribe(listeners: LiveListener[], had: Set<Topic>): void {
    if (listeners.length === 0) return;
    const topics = [...new Set(listeners.flatMap((listener) => listener.topics))].filter(
      (topic) => !had.has(topic),
    );
    const after = listeners.flatMap(({ topics: [topic], after: position }) => {
      const read = position?.() ?? null;
      return topic !== undefined && read !== null ? [[topic, read] as const] : [];
    });
    const positions = after.length > 0 ? { after: Object.fromEntries(after) } : {};
    if (topics.length > 0) this.socket.send({ type: 'subscribe', topics, ...positions });
    for (const listener of listeners) this.unconfirmed.add(listener);
    this.heartbeat.ping();
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
    case 'problems':
    case 'journal':
      return message.type;
    case 'job':
      return 'jobs';
    case 'job_log':
      return `job:${message.job_id}`;
    case 'overview':
    case 'resources':
      return message.topic;
    case 'hello':
    case 'error':
    case 'pong':
      return undefined;
  }
}
