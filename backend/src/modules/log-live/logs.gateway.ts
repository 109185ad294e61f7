import type { BeforeApplicationShutdown } from '@nestjs/common';
import {
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
} from '@nestjs/websockets';
import type { WebSocket } from 'ws';
import { sendMessage } from '../../core/api/index.js';
import { SessionSockets } from '../log-board-auth/index.js';
import { LiveLines } from './live-lines.js';
import { LiveSources } from './live-sources.js';
import { LogClient } from './log-client.js';
import { SOCKET_VERSION, type ServerMessage } from './socket-messages.js';

/** The log board's socket. Who comes this far was let in before the upgrade, by the access policy. */
@WebSocketGateway({ path: '/ws', maxPayload: 65_536, perMessageDeflate: false })
export class LogsGateway
  implements OnGatewayConnection<WebSocket>, OnGatewayDisconnect<WebSocket>, BeforeApplicationShutdown
{
  private readonly clients = new Map<WebSocket, LogClient>();
  private alertsFiring = 0;

  constructor(
    private readonly sockets: SessionSockets,
    private readonly lines: LiveLines,
    private readonly sources: LiveSources,
  ) {}

  beforeApplicationShutdown(): void {
    for (const socket of this.clients.keys()) socket.close(1001, 'Slipway is stopping');
  }

  handleConnection(socket: WebSocket): void {
    const credential = this.sockets.credentialOf(socket);
    if (!credential) return;
    const send = (message: ServerMessage): void => sendMessage(socket, message);
    this.clients.set(socket, new LogClient(socket, send, this.lines, this.sources));
    send({
      type: 'hello',
      version: SOCKET_VERSION,
      session: { id: credential.id, expires_at: credential.expires_at },
    });
    if (this.alertsFiring > 0) send({ type: 'alerts_firing', count: this.alertsFiring });
  }

  handleDisconnect(socket: WebSocket): void {
    this.clients.get(socket)?.close();
    this.clients.delete(socket);
  }

  /** Tells every page something. */
  broadcast(message: ServerMessage): void {
    for (const socket of this.clients.keys()) sendMessage(socket, message);
  }

  /** Tells every page how many alerts fire now, and those that come later. */
  tellAlertsFiring(count: number): void {
    if (count === this.alertsFiring) return;
    this.alertsFiring = count;
    this.broadcast({ type: 'alerts_firing', count });
  }

  @SubscribeMessage('ping')
  ping(@ConnectedSocket() socket: WebSocket): void {
    sendMessage(socket, { type: 'pong' } satisfies ServerMessage);
  }

  @SubscribeMessage('watch_sources')
  async watchSources(@ConnectedSocket() socket: WebSocket): Promise<void> {
    await this.clients.get(socket)?.watchSources();
  }

  @SubscribeMessage('unwatch_sources')
  unwatchSources(@ConnectedSocket() socket: WebSocket): void {
    this.clients.get(socket)?.unwatchSources();
  }

  @SubscribeMessage('subscribe')
  async subscribe(@ConnectedSocket() socket: WebSocket, @MessageBody() message: unknown): Promise<void> {
    await this.clients.get(socket)?.subscribe(message);
  }

  @SubscribeMessage('unsubscribe')
  unsubscribe(@ConnectedSocket() socket: WebSocket, @MessageBody() message: unknown): void {
    this.clients.get(socket)?.unsubscribe(message);
  }

  @SubscribeMessage('ack')
  acknowledge(@ConnectedSocket() socket: WebSocket, @MessageBody() message: unknown): void {
    this.clients.get(socket)?.acknowledge(message);
  }
}
