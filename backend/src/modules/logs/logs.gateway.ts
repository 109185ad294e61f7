import type { BeforeApplicationShutdown } from '@nestjs/common';
import {
  ConnectedSocket,
  SubscribeMessage,
  WebSocketGateway,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
} from '@nestjs/websockets';
import type { WebSocket } from 'ws';
import { sendMessage } from '../../core/api/index.js';
import { SessionSockets } from '../log-board-auth/index.js';
import { SOCKET_VERSION, type ServerMessage } from './socket-messages.js';

/** The log board's socket. Who comes this far was let in before the upgrade, by the access policy. */
@WebSocketGateway({ path: '/ws', maxPayload: 65_536, perMessageDeflate: false })
export class LogsGateway
  implements OnGatewayConnection<WebSocket>, OnGatewayDisconnect<WebSocket>, BeforeApplicationShutdown
{
  private readonly open = new Set<WebSocket>();

  constructor(private readonly sessions: SessionSockets) {}

  beforeApplicationShutdown(): void {
    for (const socket of this.open) socket.close(1001, 'Slipway is stopping');
  }

  handleConnection(socket: WebSocket): void {
    const session = this.sessions.sessionOf(socket);
    if (!session) return;
    this.open.add(socket);
    send(socket, {
      type: 'hello',
      version: SOCKET_VERSION,
      session: { id: session.id, expires_at: session.expires_at },
    });
  }

  handleDisconnect(socket: WebSocket): void {
    this.open.delete(socket);
  }

  @SubscribeMessage('ping')
  ping(@ConnectedSocket() socket: WebSocket): void {
    send(socket, { type: 'pong' });
  }
}

function send(socket: WebSocket, message: ServerMessage): void {
  sendMessage(socket, message);
}
