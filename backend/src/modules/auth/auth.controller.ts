import { Body, Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Returns, Fails } from '../../core/api/index.js';
import { Configuration } from '../../core/config/index.js';
import { setCurrentActor } from '../../core/logging/index.js';
import {
  clientOf,
  ownCookies,
  pathOf,
  Public,
  readOwnCookie,
  HostOriginGuard,
  RouteScope,
  type OwnCookie,
} from '../../core/security/index.js';
import { EndedSessionDto, LinkDto, LoginDto, TicketDto, TokenDto, UserDto } from './auth.dto.js';
import {
  AlsoForDisplays,
  JwtAuthGuard,
  type AdmittedRequest,
  type SignedInRequest,
} from './jwt-auth.guard.js';
import { KnownBrowsers, KNOWN_BROWSER_MS } from './known-browsers.js';
import { actorOfSession, type Session } from './session.js';
import { SessionsService, type StartedSession } from './sessions.service.js';
import { unauthorized } from './tokens/secret-token.js';
import { SignInJournal } from './sign-in-journal.js';
import { SignInLinks } from './sign-in-links.js';
import { SignInService } from './sign-in.service.js';
import { SocketTickets, TICKET_SECONDS } from './socket-tickets.js';

@ApiTags('auth')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly signIns: SignInService,
    private readonly sessions: SessionsService,
    private readonly tickets: SocketTickets,
    private readonly links: SignInLinks,
    private readonly browsers: KnownBrowsers,
    private readonly journal: SignInJournal,
    private readonly gate: HostOriginGuard,
    private readonly configuration: Configuration,
  ) {}

  @Post('login')
  @HttpCode(200)
  @Public('a client has no session before it signs in')
  @ApiOperation({
    summary: 'Sign in',
    description:
      'Returns a token for the Authorization header and sets the session cookie. With an access token of the scope `read` as the password, and any user name, the session is that of a display: it may read, and ends with the access token. With the read-only password, it may only read. After several failed attempts an address has to wait; see `Retry-After`.',
  })
  @ApiBody({
    type: LoginDto,
    examples: { admin: { value: { username: 'admin', password: 'correct horse battery staple' } } },
  })
  @Returns(TokenDto)
  @Fails('unauthorized', 'insufficient_scope', 'too_many_requests')
  async login(
    @Body() { username, password, scope }: LoginDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TokenDto> {
    const { session, cookie } = await this.signIns.signIn({
      username,
      password,
      scope,
      browser: this.browsers.idOf(request),
      ...clientFor(request),
    });
    return this.signedIn({ session, cookie }, request, response);
  }

  @Post('link')
  @HttpCode(200)
  @Public('a client has no session before it signs in')
  @ApiOperation({
    summary: 'Sign in with a one-time link',
    description:
      'Takes the token of the link that Slipway prints at startup. It can be used once, within 10 minutes.',
  })
  @ApiBody({
    type: LinkDto,
    examples: { link: { value: { token: 'b25lLXRpbWUgdG9rZW4gb2YgYSBsaW5r' } } },
  })
  @Returns(TokenDto)
  @Fails('unauthorized')
  link(
    @Body() { token }: LinkDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): TokenDto {
    return this.signedIn(this.links.redeem(token, clientFor(request)), request, response);
  }

  @Post('logout')
  @HttpCode(200)
  @UseGuards(JwtAuthGuard)
  @RouteScope('session')
  @AlsoForDisplays()
  @ApiOperation({
    summary: 'Sign out',
    description: 'Ends the session and all its tokens. Its sockets close within a second.',
  })
  @Returns(EndedSessionDto)
  logout(@Req() request: SignedInRequest, @Res({ passthrough: true }) response: Response): EndedSessionDto {
    const { id } = request.user;
    this.sessions.end(id, 'signed_out');
    this.journal.signedOut(request.user, clientOf(request).address);
    response.setHeader('set-cookie', this.cookies(request, 'session', '', new Date(0)));
    return { id, reason: 'signed_out' };
  }

  @Get('me')
  @UseGuards(JwtAuthGuard)
  @RouteScope('session')
  @AlsoForDisplays()
  @ApiOperation({ summary: 'Get the current user and session' })
  @Returns(UserDto)
  me(@Req() { user: session }: SignedInRequest): UserDto {
    return userOf(session);
  }

  @Post('token')
  @HttpCode(200)
  @Public('it requires the session cookie, and a request from our own pages')
  @ApiOperation({
    summary: 'Get a token from the session cookie',
    description:
      'For reloaded pages. Accepts requests from pages of this server only. The token expires with the session.',
  })
  @Returns(TokenDto)
  @Fails('unauthorized')
  token(@Req() request: Request): TokenDto {
    return this.tokenOf(this.startedBy(request).session);
  }

  @Post('renewal')
  @HttpCode(200)
  @Public('it requires the session cookie, and a request from our own pages')
  @ApiOperation({
    summary: 'Renew the session of a page in use',
    description:
      'Extends the session by `SESSION_TIMEOUT` from now, until `SESSION_MAX` after the sign-in, and returns a token. Accepts requests from pages of this server only: other clients sign in again. Earlier tokens keep their expiry.',
  })
  @Returns(TokenDto)
  @Fails('unauthorized', 'storage_unavailable')
  renew(@Req() request: Request, @Res({ passthrough: true }) response: Response): TokenDto {
    const { session, cookie } = this.startedBy(request);
    const renewed = this.sessions.renew(session);
    response.setHeader('set-cookie', this.cookies(request, 'session', cookie, new Date(renewed.expires_at)));
    return this.tokenOf(renewed);
  }

  @Post('ticket')
  @HttpCode(200)
  @UseGuards(JwtAuthGuard)
  @RouteScope('read')
  @ApiOperation({
    summary: 'Create a ticket for one WebSocket',
    description: `Replaces the token in the WebSocket URL, since URLs end up in logs. It can be used once, within ${TICKET_SECONDS} s. When its session or access token ends, the socket closes.`,
  })
  @Returns(TicketDto)
  ticket(@Req() { user: credential }: AdmittedRequest): TicketDto {
    return { ticket: this.tickets.issue(credential), expires_in: TICKET_SECONDS };
  }

  /** The session of the cookie of a request from our own pages. @throws DomainError `unauthorized` */
  private startedBy(request: Request): StartedSession {
    const cookie = readOwnCookie(request, 'session');
    if (cookie === undefined || !this.gate.isFromOwnPage(request)) throw unauthorized();
    const session = this.sessions.ofCookie(cookie);
    if (!session) throw unauthorized();
    return { session, cookie };
  }

  private signedIn({ session, cookie }: StartedSession, request: Request, response: Response): TokenDto {
    const { id, token_id } = session;
    if (token_id === null) setCurrentActor(actorOfSession(session, clientOf(request).address));
    response.setHeader('set-cookie', [
      ...this.cookies(request, 'session', cookie, new Date(session.expires_at)),
      // A browser counts as known after a sign-in with the password only.
      ...(this.sessions.isBound(id) || session.scope === 'read'
        ? []
        : this.cookies(
            request,
            'browser',
            this.browsers.valueFor(request),
            new Date(Date.now() + KNOWN_BROWSER_MS),
          )),
    ]);
    return this.tokenOf(session);
  }

  /** Sets the cookies for both applications, which share sessions. */
  private cookies(request: Request, kind: OwnCookie, value: string, expires: Date): string[] {
    const { port, logBoardPort, publicUrl, logBoardPublicUrl } = this.configuration.values;
    const other =
      request.socket.localPort === port
        ? { port: logBoardPort, path: pathOf(logBoardPublicUrl) }
        : { port, path: pathOf(publicUrl) };
    return ownCookies(request, kind, { value, expires, other });
  }

  private tokenOf(session: Session): TokenDto {
    const { token, expiresIn, renewable } = this.sessions.token(session);
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: expiresIn,
      renewable,
      user: userOf(session),
    };
  }
}

function clientFor(request: Request): { address: string; userAgent: string } {
  return { address: clientOf(request).address, userAgent: request.headers['user-agent'] ?? '' };
}

function userOf(session: Session): UserDto {
  const { id, created_at, expires_at, scope } = session;
  const role = scope === 'full' ? 'admin' : 'reader';
  return { username: session.username, role, session: { id, created_at, expires_at } };
}
