import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import type { WebSocket } from 'ws';
import { closeSocket, whenClosed } from '../../core/api/index.js';
import { guardedInterval } from '../../core/errors/index.js';
import { AppLogger, type Actor } from '../../core/logging/index.js';
import { Credentials, isAccessToken, type Credential } from './credentials.js';

/** Another process may end a session, so the database is polled. Sockets must close within a second. */
const CHECK_INTERVAL_MS = 500;
/** Time before a session expires at which its sockets are notified. */
const WARNING_MS = 60_000;
/** Maximum number of sockets per session or access token. */
const MAX_PER_CREDENTIAL = 50;

/** Close codes from the private range (RFC 6455, section 7.4.2). */
const SESSION_ENDED = 4401;
const TOO_MANY_SOCKETS = 4429;

interface Open {
  credential: Credential;
  actor: Actor;
  warned: boolean;
}

/**
 * Notifies sockets that their session or access token is about to end. When it ends, for whatever reason, closes its
 * sockets and aborts its streaming responses.
 */
@Injectable()
export class SessionSockets implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly open = new Map<WebSocket, Open>();
  /** Unfinished responses: following a log can take days. */
  private readonly responses = new Map<Response, Credential>();
  /** Sockets without a session, each with a check that the exemption still applies. */
  private readonly exempt = new Map<WebSocket, { actor: Actor; isExempt: () => boolean }>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly credentials: Credentials,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = guardedInterval(
      () => this.checkOrClose(),
      CHECK_INTERVAL_MS,
      'check the sessions of sockets',
    );
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  add(socket: WebSocket, credential: Credential, actor: Actor): void {
    const others = [...this.open.values()].filter((other) => other.credential.id === credential.id);
    if (others.length >= MAX_PER_CREDENTIAL) {
      closeSocket(socket, TOO_MANY_SOCKETS, `this ${nameOf(credential)} has too many sockets`);
      return;
    }
    this.open.set(socket, { credential, actor, warned: false });
    socket.on('close', () => this.open.delete(socket));
  }

  /** Aborts a response when its credential ends. Only GET: other requests finish soon and may have changed something. */
  addResponse(response: Response, credential: Credential): void {
    if (response.req.method !== 'GET') return;
    this.responses.set(response, credential);
    whenClosed(response, () => this.responses.delete(response));
  }

  /** Closes the socket as soon as `isExempt` returns false. */
  addExempt(socket: WebSocket, actor: Actor, isExempt: () => boolean): void {
    this.exempt.set(socket, { actor, isExempt });
    socket.on('close', () => this.exempt.delete(socket));
  }

  credentialOf(socket: WebSocket): Credential | undefined {
    return this.open.get(socket)?.credential;
  }

  /** Who opened the socket; undefined if it has been closed. */
  actorOf(socket: WebSocket): Actor | undefined {
    return this.open.get(socket)?.actor ?? this.exempt.get(socket)?.actor;
  }

  /** Fails closed: if sessions cannot be read, their sockets are closed. */
  private checkOrClose(): void {
    try {
      this.check();
    } catch (error) {
      this.logger.failure('could not read the sessions of open sockets', error);
      for (const socket of this.open.keys()) closeSocket(socket, 1011, 'Slipway cannot read its sessions');
      this.open.clear();
    }
  }

  private check(): void {
    for (const [socket, { isExempt }] of this.exempt) {
      if (isExempt()) continue;
      this.exempt.delete(socket);
      closeSocket(socket, SESSION_ENDED, 'sign-in is required now');
    }
    const known = new Map<string, Credential | undefined>();
    const current = (credential: Credential): Credential | undefined => {
      const id = (isAccessToken(credential) && credential.session_id) || credential.id;
      if (!known.has(id)) known.set(id, this.credentials.current(credential));
      return known.get(id);
    };
    for (const [response, credential] of this.responses) if (!current(credential)) response.destroy();
    for (const [socket, entry] of this.open) {
      const credential = current(entry.credential);
      if (!credential) {
        this.open.delete(socket);
        closeSocket(socket, SESSION_ENDED, `the ${nameOf(entry.credential)} has ended`);
        continue;
      }
      const { expires_at } = credential;
      const left = Date.parse(expires_at) - Date.now();
      const isEnding = left <= WARNING_MS;
      const isWarned = entry.warned;
      // Again if the session is renewed after a warning.
      entry.warned = isEnding;
      if (!isEnding || isWarned) continue;
      socket.send(JSON.stringify({ type: 'session_ending', expires_at, in_seconds: Math.ceil(left / 1000) }));
    }
  }
}

function nameOf(credential: Credential): string {
  return isAccessToken(credential) ? 'access token' : 'session';
}
