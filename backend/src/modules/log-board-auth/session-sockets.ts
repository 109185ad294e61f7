import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import type { WebSocket } from 'ws';
import { AppLogger } from '../../core/logging/index.js';
import { Credentials, isAccessToken, type Credential } from './credentials.js';

/** A session may end in another process, so the database is asked. Half of the second that an end may take. */
const LOOK_EVERY_MS = 500;
/** How long before its end a session's sockets are told of it. */
export const WARNING_MS = 60_000;
/** Sockets of one session or access token: more tabs than anybody opens. */
const MOST_PER_CREDENTIAL = 50;
/** How long a closed socket may take to say goodbye. */
const GOODBYE_MS = 500;

/** Private codes of RFC 6455, 7.4.2. */
export const SESSION_ENDED = 4401;
export const TOO_MANY_SOCKETS = 4429;

interface Open {
  credential: Credential;
  warned: boolean;
}

/**
 * Tells the sockets of a session or access token of its end, and closes them, and its responses that are under way, when
 * it comes, whatever brings it.
 */
@Injectable()
export class SessionSockets implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly open = new Map<WebSocket, Open>();
  /** Responses that are not complete yet: a followed log may take days. */
  private readonly responses = new Map<Response, Credential>();
  /** Sockets without a session, with what says whether they still need none. */
  private readonly exempt = new Map<WebSocket, () => boolean>();
  private looking: NodeJS.Timeout | undefined;

  private readonly logger: AppLogger;

  constructor(
    private readonly credentials: Credentials,
    logger: AppLogger,
  ) {
    this.logger = logger.child({ context: SessionSockets.name });
  }

  onApplicationBootstrap(): void {
    this.looking = setInterval(() => this.lookOrClose(), LOOK_EVERY_MS);
    this.looking.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.looking);
  }

  add(socket: WebSocket, credential: Credential): void {
    const others = [...this.open.values()].filter((other) => other.credential.id === credential.id);
    if (others.length >= MOST_PER_CREDENTIAL) {
      close(socket, TOO_MANY_SOCKETS, `this ${nameOf(credential)} has too many sockets`);
      return;
    }
    this.open.set(socket, { credential, warned: false });
    socket.on('close', () => this.open.delete(socket));
  }

  /** Breaks a response off with its session or access token. One to a change is complete soon, and is left to end. */
  addResponse(response: Response, credential: Credential): void {
    if (response.req.method !== 'GET') return;
    this.responses.set(response, credential);
    response.once('close', () => this.responses.delete(response));
  }

  /** Closes a socket that needed no session once it would need one. */
  addExempt(socket: WebSocket, isExempt: () => boolean): void {
    this.exempt.set(socket, isExempt);
    socket.on('close', () => this.exempt.delete(socket));
  }

  /** The session or access token of a socket that is open. */
  credentialOf(socket: WebSocket): Credential | undefined {
    return this.open.get(socket)?.credential;
  }

  /** Where nobody can say whether a session goes on, its sockets do not. */
  private lookOrClose(): void {
    try {
      this.look();
    } catch (error) {
      this.logger.failure('the sessions of open sockets could not be read', error);
      for (const socket of this.open.keys()) close(socket, 1011, 'Slipway cannot read its sessions');
      this.open.clear();
    }
  }

  private look(): void {
    for (const [socket, isExempt] of this.exempt) {
      if (isExempt()) continue;
      this.exempt.delete(socket);
      close(socket, SESSION_ENDED, 'sign-in is required now');
    }
    const live = new Map<string, boolean>();
    const isLive = (credential: Credential): boolean => {
      const known = live.get(credential.id) ?? this.credentials.isLive(credential);
      live.set(credential.id, known);
      return known;
    };
    for (const [response, credential] of this.responses) if (!isLive(credential)) response.destroy();
    for (const [socket, entry] of this.open) {
      const { credential } = entry;
      const { expires_at } = credential;
      if (!isLive(credential)) {
        this.open.delete(socket);
        close(socket, SESSION_ENDED, `the ${nameOf(credential)} has ended`);
        continue;
      }
      const left = Date.parse(expires_at) - Date.now();
      if (entry.warned || left > WARNING_MS) continue;
      entry.warned = true;
      socket.send(JSON.stringify({ type: 'session_ending', expires_at, in_seconds: Math.ceil(left / 1000) }));
    }
  }
}

function nameOf(credential: Credential): string {
  return isAccessToken(credential) ? 'access token' : 'session';
}

/** Says why, and does not wait long for an answer: whose session has ended hears nothing more. */
function close(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
}
