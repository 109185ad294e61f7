import { Body, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiNoContentResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { Returns, Fails } from '../../../core/api/index.js';
import { currentActor } from '../../../core/logging/index.js';
import {
  RouteScope,
  GuardedController,
  NeedsPassword,
  NeedsRecentPassword,
} from '../../../core/security/index.js';
import { AccessTokenDto, CreateAccessTokenDto, CreatedAccessTokenDto, MAX_DAYS } from './access-token.dto.js';
import { AccessTokensService, MAX_ACCESS_TOKENS } from './access-tokens.service.js';

/** Requires a session: a leaked access token must not be able to create another. */
@RouteScope('session')
@GuardedController('auth', 'api/auth/tokens')
export class AccessTokensController {
  constructor(private readonly tokens: AccessTokensService) {}

  @Get()
  @ApiOperation({
    summary: 'List access tokens',
    description: 'Newest first, without the tokens themselves. Expired tokens are omitted.',
  })
  @Returns(AccessTokenDto, { list: true })
  list(): AccessTokenDto[] {
    return this.tokens.list();
  }

  @Post()
  @NeedsPassword()
  @NeedsRecentPassword(({ body }) => (body as { scope?: unknown } | undefined)?.scope !== 'read')
  @HttpCode(201)
  @ApiOperation({
    summary: 'Create an access token',
    description: `The response contains the token, which is shown only once. Both applications accept it as \`Authorization: Bearer\` until \`expires_at\`, at most ${MAX_DAYS} days from now, unless it is revoked or the password changes. Names are unique; the maximum is ${MAX_ACCESS_TOKENS} tokens.`,
  })
  @ApiBody({
    type: CreateAccessTokenDto,
    examples: {
      read: { value: { name: 'nightly report', scope: 'read', expires_at: '2026-12-22T08:00:00Z' } },
    },
  })
  @Returns(CreatedAccessTokenDto, { status: 201 })
  @Fails('password_required', 'reauthentication_required', 'storage_unavailable')
  create(@Body() { name, scope, expires_at }: CreateAccessTokenDto): CreatedAccessTokenDto {
    const { user } = currentActor();
    const { record, token } = this.tokens.create({ name, scope, created_by: user, expires_at });
    return { ...record, token };
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiParam({ name: 'id', example: 'k3Jx0aQ9Zt2B' })
  @ApiOperation({
    summary: 'Revoke an access token',
    description: 'Requests with it are rejected. Its sockets close within a second.',
  })
  @ApiNoContentResponse({ description: 'Revoked' })
  @Fails('access_token_not_found', 'storage_unavailable')
  revoke(@Param('id') id: string): void {
    this.tokens.revoke(id);
  }
}
