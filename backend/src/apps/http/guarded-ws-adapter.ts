import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { INestApplication } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { WebSocketServer, type WebSocket } from 'ws';
import { DomainError, errorCodes } from '../../core/errors/index.js';
import { runInRequest, type AppLogger } from '../../core/logging/index.js';
import type { AccessPolicy, HostOriginGuard, TokenScope } from '../../core/security/index.js';
import { jsonValue } from '../../core/parsing/index.js';
import { recordOf } from '../../core/values/index.js';
import { rawResponse } from './raw-response.js';
import { endWith } from './connection-limits.js';
import { closeDeadSockets } from './heartbeat.js';
import { limitMessages } from './message-limit.js';

/** A browser opens one per tab. */
const MAX_SOCKETS = 200;

/** Options of a gateway. */
interface SocketOptions extends Record<string, unknown> {
  /** May have parameters: `/clusters/:name/shells`. */
  path: string;
  /** The scope that an access token needs; by default `read`. */
  scope?: TokenScope;
  /** Whether binary messages are bytes of a stream with its own flow control. The gateway reads all messages itself. */
  takesBytes?: boolean;
}

/** A WebSocket adapter that checks upgrades like requests, before the WebSocket exists. */
export class GuardedWsAdapter extends WsAdapter {
  private readonly log: AppLogger;
  private readonly routes: { path: RegExp; scope: TokenScope; server: WebSocketServer }[] = [];

  constructor(
    application: INestApplication,
    private readonly guard: HostOriginGuard,
    private readonly access: AccessPolicy,
    logger: AppLogger,
  ) {
    super(application, { messageParser: parseMessage });
    this.log = logger.child({ context: 'http' });
    const server = application.getHttpServer() as Server;
    prepareForUpgrades(server);
    server.on('upgrade', (request, socket, head) => void this.upgrade(request, socket, head));
  }

  override create(_port: number, options: SocketOptions): WebSocketServer {
    const { path, scope = 'read', takesBytes = false, ...wsOptions } = options;
    const server = new WebSocketServer({ ...wsOptions, noServer: true });
    this.bindErrorHandler(server);
    this.routes.push({ path: pathPattern(path), scope, server });
    closeDeadSockets(server);
    limitMessages(server, takesBytes);
    return server;
  }

  /** Nest would parse every frame as JSON for a gateway without handlers. */
  override bindMessageHandlers(
    ...[client, handlers, transform]: Parameters<WsAdapter['bindMessageHandlers']>
  ): void {
    if (handlers.length > 0) super.bindMessageHandlers(client, handlers, transform);
  }

  /** Routes by patterns; Nest compares whole paths. */
  private async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { pathname } = new URL(request.url ?? '', `ws://${request.headers.host ?? ''}/`);
    const route = this.routes.find(({ path }) => path.test(pathname));
    if (!route) {
      socket.destroy();
      return;
    }
    const { server, scope } = route;
    const rejected = await this.prepare(request);
    // Upgrades at the same time count each other, since nothing is awaited until the socket is open.
    const admitted = rejected ?? this.admit(request, scope, server.clients.size);
    if (admitted instanceof DomainError) {
      runInRequest(() => {
        this.log.info(`rejected an upgrade ${errorCodes[admitted.code].status}`);
        endWith(socket, rawResponse(admitted));
      });
      return;
    }
    server.handleUpgrade(request, socket, head, (opened) => {
      admitted(opened);
      server.emit('connection', opened, request);
    });
  }

  private async prepare(request: IncomingMessage): Promise<DomainError | undefined> {
    try {
      this.guard.checkUpgrade(request);
      await this.access.prepare(request);
      return undefined;
    } catch (error) {
      return this.refusal(error);
    }
  }

  /** @returns a callback for the open socket, or the error. */
  private admit(
    request: IncomingMessage,
    scope: TokenScope,
    open: number,
  ): DomainError | ((socket: WebSocket) => void) {
    try {
      if (open < MAX_SOCKETS) return this.access.admitUpgrade(request, scope);
      return new DomainError('too_many_requests', 'Too many WebSockets are open. Close some browser tabs.');
    } catch (error) {
      return this.refusal(error);
    }
  }

  private refusal(error: unknown): DomainError {
    if (error instanceof DomainError) return error;
    this.log.failure('an upgrade failed', error);
    return new DomainError('internal', 'Something went wrong inside Slipway. Its log has the details.');
  }
}

/** The pattern of a path whose parameters are single segments. */
function pathPattern(path: string): RegExp {
  // eslint-disable-next-line no-restricted-syntax -- The paths are constants.
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
}

/**
 * Node removes its listeners from the connection of an upgrade. Until a WebSocket takes over, a reset by the client would
 * be an unhandled error, which ends the process.
 */
function prepareForUpgrades(server: Server): void {
  server.prependListener('upgrade', (_request, socket) => {
    socket.on('error', () => socket.destroy());
  });
  // Upgrades to other protocols, such as HTTP/2, must be ignored (RFC 9110, 7.8). So are those with an invalid URL: Nest
  // would respond and leave the connection open.
  Object.assign(server, {
    shouldUpgradeCallback: ({ headers, url = '' }: IncomingMessage) =>
      headers.upgrade?.toLowerCase() === 'websocket' && URL.canParse(url, `ws://${headers.host ?? ''}/`),
  });
}

/**
 * Slipway's messages have a `type`, which selects the handler. Drops everything else without a log entry, since a client
 * could fill the log.
 */
function parseMessage(data: { toString: () => string }): { event: string; data: unknown } | undefined {
  const message = jsonValue(data.toString());
  const { type } = recordOf(message);
  return typeof type === 'string' ? { event: type, data: message } : undefined;
}
