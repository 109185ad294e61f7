import type { BeforeApplicationShutdown, OnModuleInit } from '@nestjs/common';
import {
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
} from '@nestjs/websockets';
import type { Subscription } from 'rxjs';
import type { WebSocket } from 'ws';
import { sendMessage } from '../../core/api/index.js';
import { SessionSockets } from '../auth/index.js';
import { LogStoreAccess, type LogStoreHealth } from '../log-sources/index.js';
import { LiveLines } from './live-lines.js';
import { LiveSources } from './live-sources.js';
import { LogClient } from './log-client.js';
import { SOCKET_VERSION, type ServerMessage } from './socket-messages.js';

/** The log board's socket. The access policy authenticates clients before the upgrade. */
@WebSocketGateway({ path: '/ws', maxPayload: 65_536, perMessageDeflate: false })
export class LogsGateway
  implements
    OnGatewayConnection<WebSocket>,
    OnGatewayDisconnect<WebSocket>,
    OnModuleInit,
    BeforeApplicationShutdown
{
  private readonly clients = new Map<WebSocket, LogClient>();
  private alertsFiring = 0;
  private storeHealth: LogStoreHealth | null = null;
  private healthSubscription: Subscription | undefined;

  constructor(
    private readonly sockets: SessionSockets,
    private readonly lines: LiveLines,
    private readonly sources: LiveSources,
    private readonly store: LogStoreAccess,
  ) {}

  onModuleInit(): void {
    this.healthSubscription = this.store.health.subscribe((health) => {
      this.storeHealth = health;
      if (health) this.broadcast({ type: 'log_store', ...health });
    });
  }

  beforeApplicationShutdown(): void {
    this.healthSubscription?.unsubscribe();
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
    if (this.storeHealth) send({ type: 'log_store', ...this.storeHealth });
    if (this.alertsFiring > 0) send({ type: 'alerts_firing', count: this.alertsFiring });
  }

  handleDisconnect(socket: WebSocket): void {
    this.clients.get(socket)?.close();
    this.clients.delete(socket);
  }

  broadcast(message: ServerMessage): void {
    for (const socket of this.clients.keys()) sendMessage(socket, message);
  }

  /** Sends the number of firing alerts to all clients, including future ones. */
  sendAlertsFiring(count: number): void {
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
