import type { IncomingMessage, Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import type { WebSocket, WebSocketServer } from 'ws';
import { DomainError, errorCodes } from '../../core/errors/index.js';
import { runInRequest, type AppLogger } from '../../core/logging/index.js';
import type { AccessPolicy, HostOriginGuard } from '../../core/security/index.js';
import { rawResponse } from './raw-response.js';
import { endWith } from './connection-limits.js';
import { dropDead } from './heartbeat.js';
import { limitMessages } from './message-limit.js';

/** Most sockets at once: a browser opens one per tab. */
const MAX_SOCKETS = 200;

/** A WebSocket adapter whose upgrades pass the same gate and policy as requests, before a socket exists. */
export class GuardedWsAdapter extends WsAdapter {
  private readonly log: AppLogger;

  constructor(
    application: INestApplication,
    private readonly gate: HostOriginGuard,
    private readonly access: AccessPolicy,
    logger: AppLogger,
  ) {
    super(application, { messageParser: parseMessage });
    this.log = logger.child({ context: 'http' });
    prepareForUpgrades(application.getHttpServer() as Server);
  }

  override create(port: number, options: Record<string, unknown> & { path?: string }): WebSocketServer {
    const server = super.create(port, options) as WebSocketServer;
    dropDead(server);
    limitMessages(server);
    const handleUpgrade = server.handleUpgrade.bind(server);
    server.handleUpgrade = (request, socket, head, callback): void => {
      void this.admit(request, () => server.clients.size).then((admitted) => {
        if (admitted instanceof DomainError) {
          runInRequest(() => {
            this.log.info(`an upgrade was refused ${errorCodes[admitted.code].status}`);
            endWith(socket, rawResponse(admitted));
          });
          return;
        }
        handleUpgrade(request, socket, head, (opened, upgraded) => {
          admitted(opened);
          callback(opened, upgraded);
        });
      });
    };
    return server;
  }

  /** @returns what is to be called with the open socket, or the refusal. */
  private async admit(
    request: IncomingMessage,
    open: () => number,
  ): Promise<DomainError | ((socket: WebSocket) => void)> {
    try {
      this.gate.checkUpgrade(request);
      await this.access.prepare(request);
      if (open() < MAX_SOCKETS) return this.access.admitUpgrade(request);
      return new DomainError('too_many_requests', 'Too many pages and programs are connected. Close some.');
    } catch (error) {
      if (error instanceof DomainError) return error;
      this.log.failure('an upgrade failed', error);
      return new DomainError('internal', 'Something went wrong inside Slipway. Its log has the details.');
    }
  }
}

/**
 * Node hands the bare connection of an upgrade over and listens to it no more. Until a WebSocket takes it,
 * and wherever none does, a reset by the other side would be an error that nobody hears, which ends the process.
 */
function prepareForUpgrades(server: Server): void {
  server.prependListener('upgrade', (_request, socket) => {
    socket.on('error', () => socket.destroy());
  });
  // An offer of any other protocol, such as that of HTTP/2 which some programs make each time, is to be
  // passed over (RFC 9110, 7.8): the request is answered as if it had not been made. So is one for an address that
  // cannot be parsed: Nest would respond to it and leave the connection open for as long as the client does.
  Object.assign(server, {
    shouldUpgradeCallback: ({ headers, url = '' }: IncomingMessage) =>
      headers.upgrade?.toLowerCase() === 'websocket' && URL.canParse(url, `ws://${headers.host ?? ''}/`),
  });
}

/** Our messages name their kind `type`; Nest's handlers are found by `event`. Anything else is dropped. */
function parseMessage(data: { toString: () => string }): { event: string; data: unknown } | undefined {
  try {
    const message: unknown = JSON.parse(data.toString());
    if (typeof message !== 'object' || message === null) return undefined;
    const { type } = message as { type?: unknown };
    return typeof type === 'string' ? { event: type, data: message } : undefined;
  } catch {
    // Not JSON: a client's mistake, and not worth a line in the log for whoever wants to fill it.
    return undefined;
  }
}
