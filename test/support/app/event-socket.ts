import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket, type ClientOptions } from 'ws';
import type {
  ClientMessage,
  ServerMessage as DashboardMessage,
} from '../../../backend/src/modules/events/event-messages.js';

/** A WebSocket client that records all messages. */
export class EventSocket<ServerMessage extends { type: string } = DashboardMessage> {
  readonly messages: ServerMessage[] = [];
  closed: { code: number; reason: string } | undefined;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString('utf8')) as ServerMessage);
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
    // The close that follows has the reason. Without a listener, an error would end the process.
    socket.on('error', () => undefined);
  }

  /** @throws Error with the status where the upgrade is refused: "Unexpected server response: 403". */
  static async open<TMessage extends { type: string } = DashboardMessage>(
    port: number,
    options: ClientOptions = {},
    path = '/events',
  ): Promise<EventSocket<TMessage>> {
    const socket = new WebSocket(`ws://localhost:${port}${path}`, { handshakeTimeout: 10_000, ...options });
    const events = new EventSocket<TMessage>(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return events;
  }

  send(message: ClientMessage | object): void {
    this.socket.send(JSON.stringify(message));
  }

  sendText(text: string | Buffer): void {
    this.socket.send(text);
  }

  /** Stops reading, as a page that hangs does. */
  stopReading(): void {
    this.socket.pause();
  }

  readAgain(): void {
    this.socket.resume();
  }

  of<TType extends ServerMessage['type']>(type: TType): Extract<ServerMessage, { type: TType }>[] {
    return this.messages.filter((message) => message.type === type) as Extract<
      ServerMessage,
      { type: TType }
    >[];
  }

  /** Waits for the first message of a type that matches. @throws Error if none arrives. */
  async next<TType extends ServerMessage['type']>(
    type: TType,
    fits: (message: Extract<ServerMessage, { type: TType }>) => boolean = () => true,
    withinMs = 30_000,
  ): Promise<Extract<ServerMessage, { type: TType }>> {
    return await until(
      () => this.of(type).find(fits),
      () => `no ${type} among ${JSON.stringify(this.messages.map((message) => message.type))}`,
      withinMs,
    );
  }

  async untilClosed(withinMs = 30_000): Promise<{ code: number; reason: string }> {
    return await until(
      () => this.closed,
      () => 'the socket stayed open',
      withinMs,
    );
  }

  /** The server handles messages in order, so earlier messages have been handled before this one. */
  async settled(): Promise<void> {
    const before = this.of('pong').length;
    this.send({ type: 'ping' });
    await until(
      () => this.of('pong')[before],
      () => 'no pong',
      30_000,
    );
  }

  close(): void {
    this.socket.terminate();
  }
}

async function until<TFound>(
  find: () => TFound | undefined,
  explain: () => string,
  withinMs: number,
): Promise<TFound> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(explain());
    await delay(10);
  }
}
