import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import {
  ConnectedSocket,
  SubscribeMessage,
  WebSocketGateway,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
} from '@nestjs/websockets';
import type { WebSocket } from 'ws';
import { SessionSockets } from '../log-board-auth/index.js';
import { SOCKET_VERSION, type ServerMessage } from './socket-messages.js';

const HEARTBEAT_MS = 30_000;

/** The log board's socket. Who comes this far was let in before the upgrade, by the access policy. */
@WebSocketGateway({ path: '/ws', maxPayload: 65_536, perMessageDeflate: false })
export class LogsGateway
  implements
    OnGatewayConnection<WebSocket>,
    OnGatewayDisconnect<WebSocket>,
    OnApplicationBootstrap,
    BeforeApplicationShutdown
{
  /** Whether each socket has answered since the last heartbeat. */
  private readonly alive = new Map<WebSocket, boolean>();
  private heartbeat: NodeJS.Timeout | undefined;

  constructor(private readonly sessions: SessionSockets) {}

  onApplicationBootstrap(): void {
    this.heartbeat = setInterval(() => this.dropDead(), HEARTBEAT_MS);
    this.heartbeat.unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.heartbeat);
    for (const socket of this.alive.keys()) socket.close(1001, 'Slipway is stopping');
  }

  handleConnection(socket: WebSocket): void {
    const session = this.sessions.sessionOf(socket);
    if (!session) return;
    this.alive.set(socket, true);
    socket.on('pong', () => this.alive.set(socket, true));
    send(socket, {
      type: 'hello',
      version: SOCKET_VERSION,
      session: { id: session.id, expires_at: session.expires_at },
    });
  }

  handleDisconnect(socket: WebSocket): void {
    this.alive.delete(socket);
  }

  @SubscribeMessage('ping')
  ping(@ConnectedSocket() socket: WebSocket): void {
    send(socket, { type: 'pong' });
  }

  /** Ends connections whose other side vanished without a word. */
  private dropDead(): void {
    for (const [socket, alive] of this.alive) {
      if (!alive) {
        socket.terminate();
        continue;
      }
      this.alive.set(socket, false);
      socket.ping();
    }
  }
}

function send(socket: WebSocket, message: ServerMessage): void {
  socket.send(JSON.stringify(message));
}
