import type { IncomingMessage } from 'node:http';
import { Injectable, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { WebSocket } from 'ws';
import { DomainError } from '../../core/errors/index.js';
import { setCurrentActor } from '../../core/logging/index.js';
import { AccessPolicy, clientOf, readOwnCookie } from '../../core/security/index.js';
import { readBearerToken } from './bearer-token.js';
import { Exemption } from './exemption.js';
import { JwtAuthGuard } from './jwt-auth.guard.js';
import type { Session } from './session.js';
import { SessionSockets } from './session-sockets.js';
import { SignInLinks } from './sign-in-links.js';
import { SessionsService, unauthorized } from './sessions.service.js';

/** A token has dots, a ticket has none. */
const TICKET = /^[A-Za-z0-9_-]{32}$/;

/** Lets in who is signed in, or exempt: routes by the header, pages by the cookie, sockets by `?token=`. */
@Injectable()
export class SessionAccess extends AccessPolicy {
  constructor(
    private readonly guard: JwtAuthGuard,
    private readonly sessions: SessionsService,
    private readonly sockets: SessionSockets,
    private readonly exemption: Exemption,
    private readonly links: SignInLinks,
  ) {
    super();
  }

  override async prepare(request: IncomingMessage): Promise<void> {
    await this.exemption.prepare(request);
  }

  override isOpenTo(request: IncomingMessage): boolean {
    return this.exemption.userOf(request) !== undefined;
  }

  override async admit(context: ExecutionContext): Promise<void> {
    const request = context.switchToHttp().getRequest<Request>();
    const user = this.exemption.userOf(request);
    if (user === undefined) await this.guard.canActivate(context);
    else setCurrentActor({ kind: 'local', user, id: null, address: clientOf(request).address });
  }

  override admitsPage(request: IncomingMessage): boolean {
    if (this.isOpenTo(request) || this.showsToken(request)) return true;
    const cookie = readOwnCookie(request, 'session');
    return cookie !== undefined && this.sessions.ofCookie(cookie) !== undefined;
  }

  override ticketFor(request: IncomingMessage): string | undefined {
    const cookie = readOwnCookie(request, 'session');
    return cookie !== undefined && this.sessions.ofCookie(cookie) ? this.links.issue() : undefined;
  }

  override admitUpgrade(request: IncomingMessage): (socket: WebSocket) => void {
    if (this.isOpenTo(request)) {
      return (socket) => this.sockets.addExempt(socket, () => this.isOpenTo(request));
    }
    const session = this.sessionOf(request);
    return (socket) => this.sockets.add(socket, session);
  }

  /** A program that fetches what browsers look at, such as the API document. */
  private showsToken(request: IncomingMessage): boolean {
    const token = readBearerToken(request);
    if (token === null) return false;
    try {
      this.sessions.ofToken(token);
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  private sessionOf(request: IncomingMessage): Session {
    const given = new URLSearchParams((request.url ?? '').split('?')[1] ?? '').getAll('token');
    const [token] = given;
    if (token === undefined || given.length > 1) throw unauthorized();
    return TICKET.test(token) ? this.sessions.redeem(token) : this.sessions.ofToken(token);
  }
}
