import { Body, Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Answers, Fails } from '../../core/api/index.js';
import { Public, RequestGate } from '../../core/security/index.js';
import { EndedSessionDto, LoginDto, TicketDto, TokenDto, UserDto } from './auth.dto.js';
import { JwtAuthGuard, type SignedInRequest } from './jwt-auth.guard.js';
import type { Session } from './session.js';
import { noSessionCookie, readSessionCookie, sessionCookie } from './session-cookie.js';
import { SessionsService, TICKET_SECONDS, unauthorized } from './sessions.service.js';
import { SignInService } from './sign-in.service.js';

/** Signing in and out. */
@ApiTags('auth')
@Controller('api/auth')
export class LogBoardAuthController {
  constructor(
    private readonly signIns: SignInService,
    private readonly sessions: SessionsService,
    private readonly gate: RequestGate,
  ) {}

  @Post('login')
  @HttpCode(200)
  @Public('whoever signs in has no session yet')
  @ApiOperation({
    summary: 'Sign in',
    description:
      'Answers with a token for the Authorization header, and sets a cookie by which the pages know the session. After several wrong tries an address waits, as `Retry-After` says.',
  })
  @ApiBody({
    type: LoginDto,
    examples: { admin: { value: { username: 'admin', password: 'correct horse battery staple' } } },
  })
  @Answers(TokenDto)
  @Fails('invalid_input', 'unauthorized', 'too_many_requests')
  async login(
    @Body() { username, password }: LoginDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TokenDto> {
    const { session, cookie } = await this.signIns.signIn({
      username,
      password,
      address: request.socket.remoteAddress ?? '',
      userAgent: request.headers['user-agent'] ?? '',
    });
    response.setHeader('set-cookie', sessionCookie(cookie, session));
    return this.tokenOf(session);
  }

  @Post('logout')
  @HttpCode(200)
  @UseGuards(JwtAuthGuard)
  @ApiOperation({
    summary: 'Sign out',
    description: 'Ends the session for good, with all its tokens, and closes its sockets within a second.',
  })
  @Answers(EndedSessionDto)
  logout(
    @Req() { user: { id } }: SignedInRequest,
    @Res({ passthrough: true }) response: Response,
  ): EndedSessionDto {
    this.sessions.end(id, 'signed_out');
    response.setHeader('set-cookie', noSessionCookie());
    return { id, reason: 'signed_out' };
  }

  @Get('me')
  @UseGuards(JwtAuthGuard)
  @ApiOperation({ summary: 'Who is signed in, and until when' })
  @Answers(UserDto)
  me(@Req() { user: session }: SignedInRequest): UserDto {
    return userOf(session);
  }

  @Post('token')
  @HttpCode(200)
  @Public('the session’s cookie stands in for the header, from our own pages alone')
  @ApiOperation({
    summary: 'A token for a page that was loaded again',
    description:
      'Takes the session’s cookie, from a page of this server alone. The token ends when the session does.',
  })
  @Answers(TokenDto)
  @Fails('unauthorized')
  token(@Req() request: Request): TokenDto {
    const cookie = readSessionCookie(request);
    if (cookie === undefined || !this.gate.isFromOwnPage(request)) throw unauthorized();
    const session = this.sessions.ofCookie(cookie);
    if (!session) throw unauthorized();
    return this.tokenOf(session);
  }

  @Post('ticket')
  @HttpCode(200)
  @UseGuards(JwtAuthGuard)
  @ApiOperation({
    summary: 'A ticket for one WebSocket',
    description: `Stands in for the token in the socket's address, where addresses may be kept: good once, for ${TICKET_SECONDS} s.`,
  })
  @Answers(TicketDto)
  ticket(@Req() { user: session }: SignedInRequest): TicketDto {
    return { ticket: this.sessions.ticket(session), expires_in: TICKET_SECONDS };
  }

  private tokenOf(session: Session): TokenDto {
    return {
      access_token: this.sessions.token(session),
      token_type: 'Bearer',
      expires_in: Math.max(0, Math.floor((Date.parse(session.expires_at) - Date.now()) / 1000)),
      user: userOf(session),
    };
  }
}

function userOf(session: Session): UserDto {
  const { id, created_at, expires_at } = session;
  return { username: session.username, role: 'admin', session: { id, created_at, expires_at } };
}
