import type { IncomingMessage } from 'node:http';
import { Injectable, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { WebSocket } from 'ws';
import { DomainError } from '../../core/errors/index.js';
import { setCurrentActor, type Actor } from '../../core/logging/index.js';
import {
  AccessPolicy,
  clientOf,
  needsPassword,
  needsRecentPassword,
  readOwnCookie,
  requireFullScope,
  requireRecentPassword,
  setRecentPasswordCheck,
  type TokenScope,
} from '../../core/security/index.js';
import { readBearerToken, hasBearer } from './tokens/bearer-token.js';
import { actorWith, Credentials, isAccessToken, type Credential } from './credentials.js';
import { Exemption } from './exemption.js';
import { JwtAuthGuard, type AdmittedRequest } from './jwt-auth.guard.js';
import { SessionSockets } from './session-sockets.js';
import { SignInLinks } from './sign-in-links.js';
import { SessionsService } from './sessions.service.js';
import {
  lookingForEngines,
  passwordRequired,
  reauthenticationRequired,
  unauthorized,
} from './tokens/secret-token.js';
import { SocketTickets } from './socket-tickets.js';

/** Session and access tokens are longer. */
const TICKET = /^[A-Za-z0-9_-]{32}$/;

/**
 * Admits exempt users and requests with a token: in the header for routes, also in the cookie for pages, in the header or
 * `?token=` for sockets.
 */
@Injectable()
export class SessionAccess extends AccessPolicy {
  constructor(
    private readonly guard: JwtAuthGuard,
    private readonly credentials: Credentials,
    private readonly tickets: SocketTickets,
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
    return this.exemptUserOf(request) !== undefined;
  }

  override async admit(context: ExecutionContext): Promise<void> {
    const request = context.switchToHttp().getRequest<Request>();
    const user = this.exemptUserOf(request);
    if (user === undefined) {
      if (this.isLooking(request)) throw lookingForEngines();
      await this.guard.canActivate(context);
      const { user: credential } = request as AdmittedRequest;
      if (needsPassword(context) && this.sessions.isBound(credential.id)) throw passwordRequired();
      setRecentPasswordCheck(request, () => {
        if (!isAccessToken(credential) && !this.sessions.hasRecentPassword(credential)) {
          throw reauthenticationRequired();
        }
      });
      if (needsRecentPassword(context)) requireRecentPassword(request);
      this.sockets.addResponse(context.switchToHttp().getResponse(), credential);
    } else {
      if (needsPassword(context)) throw passwordRequired();
      setCurrentActor({ kind: 'local', user, id: null, address: clientOf(request).address });
    }
  }

  override isLooking(request: IncomingMessage): boolean {
    return !hasBearer(request) && this.exemption.isLooking(request);
  }

  override admitsPage(request: IncomingMessage): boolean {
    return this.isOpenTo(request) || this.hasValidToken(request) || this.hasSession(request);
  }

  override ticketFor(request: IncomingMessage, sharesCookies: boolean): string | undefined {
    const cookie = readOwnCookie(request, 'session');
    const session = cookie && this.sessions.ofCookie(cookie);
    if (!session) return this.isOpenTo(request) ? this.links.issueTicket(null) : undefined;
    // Others can use the browser of a display or a read-only session, and could take the ticket along.
    return sharesCookies || session.scope === 'read' ? undefined : this.links.issueTicket(cookie);
  }

  override admitUpgrade(request: IncomingMessage, needs: TokenScope): (socket: WebSocket) => void {
    const tokens = new URLSearchParams((request.url ?? '').split('?')[1] ?? '').getAll('token');
    // Browsers cannot set the header. Other clients use it to keep the token out of the URL.
    if (hasBearer(request)) tokens.push(readBearerToken(request) ?? '');
    const { address } = clientOf(request);
    const user = tokens.length === 0 ? this.exemptUserOf(request) : undefined;
    if (user !== undefined) {
      const actor: Actor = { kind: 'local', user, id: null, address };
      return (socket) =>
        this.sockets.addExempt(socket, actor, () => this.isOpenTo(request) || this.isLooking(request));
    }
    if (tokens.length === 0 && this.isLooking(request)) throw lookingForEngines();
    const credential = this.credentialOf(tokens);
    if (needs === 'full') {
      requireFullScope(credential.scope, isAccessToken(credential) ? 'access token' : 'session');
    }
    const actor = actorWith(credential, address);
    return (socket) => this.sockets.add(socket, credential, actor);
  }

  /** Undefined if the request has a token, even for an exempt user: a read-only or revoked token must not grant more. */
  private exemptUserOf(request: IncomingMessage): string | undefined {
    return hasBearer(request) ? undefined : this.exemption.userOf(request);
  }

  private hasSession(request: IncomingMessage): boolean {
    const cookie = readOwnCookie(request, 'session');
    return cookie !== undefined && this.sessions.ofCookie(cookie) !== undefined;
  }

  /** For programs that fetch pages, such as the OpenAPI document. */
  private hasValidToken(request: IncomingMessage): boolean {
    const token = readBearerToken(request);
    if (token === null) return false;
    try {
      this.credentials.ofToken(token);
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  private credentialOf([token, ...others]: readonly string[]): Credential {
    if (token === undefined || others.length > 0) throw unauthorized();
    return TICKET.test(token) ? this.tickets.redeem(token) : this.credentials.ofToken(token);
  }
}
