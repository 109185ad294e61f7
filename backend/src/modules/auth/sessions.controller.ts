import { Controller, Delete, Get, Param, Req, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Returns, Fails } from '../../core/api/index.js';
import { DomainError } from '../../core/errors/index.js';
import { RouteScope } from '../../core/security/index.js';
import { AccessTokensService } from './access-tokens/access-tokens.service.js';
import { EndedSessionDto, EndedSessionsDto, ListedSessionDto } from './auth.dto.js';
import { JwtAuthGuard, type SignedInRequest } from './jwt-auth.guard.js';
import { SessionsService } from './sessions.service.js';
import { SignInJournal } from './sign-in-journal.js';

@ApiTags('auth')
@UseGuards(JwtAuthGuard)
@RouteScope('session')
@Controller('api/auth/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly accessTokens: AccessTokensService,
    private readonly journal: SignInJournal,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List active sessions, newest first' })
  @Returns(ListedSessionDto, { list: true })
  list(@Req() { user: { id } }: SignedInRequest): ListedSessionDto[] {
    const names = new Map(this.accessTokens.list().map((token) => [token.id, token.name]));
    return this.sessions.list().map(({ token_id, ...session }) => ({
      ...session,
      access_token: names.get(token_id ?? '') ?? null,
      current: session.id === id,
    }));
  }

  @Delete()
  @ApiOperation({
    summary: 'End all other sessions',
    description: 'The session of this request stays active. Sockets of the others close within a second.',
  })
  @Returns(EndedSessionsDto)
  @Fails('unauthorized')
  endOthers(@Req() { user: { id } }: SignedInRequest): EndedSessionsDto {
    const others = this.sessions.list().filter((session) => session.id !== id);
    if (others.length > 0) this.journal.ending(others);
    return { ended: this.sessions.endOthers(id) };
  }

  @Delete(':id')
  @ApiParam({ name: 'id', example: 'b3JpZ2luYWwgYmVjYXVzZSB5b3Ug' })
  @ApiOperation({ summary: 'End a session', description: 'Its sockets close within a second.' })
  @Returns(EndedSessionDto)
  @Fails('session_not_found')
  end(@Param('id') id: string): EndedSessionDto {
    const session = this.sessions.find(id);
    if (session) this.journal.ending([session]);
    if (!session || !this.sessions.end(id, 'ended_by_user')) {
      throw new DomainError('session_not_found', 'The session does not exist. It may have ended already.');
    }
    return { id, reason: 'ended_by_user' };
  }
}
