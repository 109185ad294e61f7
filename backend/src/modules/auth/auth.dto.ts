import { IsIn, ValidateIf } from 'class-validator';
import { Field, NestedField, NullableField, Optional, Text } from '../../core/api/index.js';

import { TOKEN_SCOPES, type TokenScope } from '../../core/security/index.js';

/** Longer inputs are rejected before they are hashed. */
const MAX_LENGTH = 1024;

export class LoginDto {
  @Text({ example: 'admin', minLength: 1, maxLength: MAX_LENGTH })
  username!: string;

  @Text({ example: 'correct horse battery staple', format: 'password', minLength: 1, maxLength: MAX_LENGTH })
  password!: string;

  @Field({ required: false, enum: TOKEN_SCOPES, description: '`full` rejects credentials that only read' })
  @Optional()
  @IsIn(TOKEN_SCOPES)
  scope?: TokenScope;
}

export class ViewerPasswordDto {
  @Text({
    nullable: true,
    example: 'green harbor lantern',
    description: 'Null removes it',
    format: 'password',
    minLength: 1,
    maxLength: MAX_LENGTH,
  })
  @ValidateIf((_, password) => password !== null)
  password!: string | null;
}

export class LinkDto {
  @Text({
    example: 'b25lLXRpbWUgdG9rZW4gb2YgYSBsaW5r',
    description: 'The value after `#link=` in the printed URL',
    minLength: 1,
    maxLength: MAX_LENGTH,
  })
  token!: string;
}

export class IssuedLinkDto {
  @Field({ example: 'b25lLXRpbWUgdG9rZW4gb2YgYSBsaW5r', description: 'The value after `#link=` of the URL' })
  token!: string;

  @Field({ example: 600, description: 'Seconds until it expires' })
  expires_in!: number;
}

export class ExemptionDto {
  @Field({ description: 'Whether this client needs no password' })
  exempt!: boolean;

  @Field({
    example:
      'No password is needed: this request is from your own user, and each container engine (/var/run/docker.sock) runs natively on this machine.',
    description: 'The reason, as one sentence for the user',
  })
  reason!: string;

  @Field({ description: 'Whether there is a read-only password' })
  viewer_password!: boolean;
}

export class SessionDto {
  @Field({ example: 'b3JpZ2luYWwgYmVjYXVzZSB5b3Ug', description: 'Also the `jti` of its tokens' })
  id!: string;

  @Field({ format: 'date-time', example: '2026-11-22T08:00:00.000Z' })
  created_at!: string;

  @Field({
    format: 'date-time',
    example: '2026-11-22T09:00:00.000Z',
    description: 'A page in use extends it if `SESSION_MAX` is above `SESSION_TIMEOUT`',
  })
  expires_at!: string;
}

export class ListedSessionDto extends SessionDto {
  @Field({ format: 'date-time', example: '2026-11-22T08:41:00.000Z', description: 'Updated once a minute' })
  last_seen_at!: string;

  @Field({ example: '127.0.0.1', description: 'Client address at sign-in' })
  address!: string;

  @Field({ example: 'curl/8.5.0', description: 'User-Agent header at sign-in' })
  user_agent!: string;

  @NullableField(String, {
    example: null,
    description: 'Name of the access token with which a display was opened; null for the session of a user',
  })
  access_token!: string | null;

  @Field({ enum: TOKEN_SCOPES })
  scope!: TokenScope;

  @Field({ description: 'Whether this request uses the session' })
  current!: boolean;
}

export class UserDto {
  @Field({ example: 'admin' })
  username!: string;

  @Field({
    enum: ['admin', 'reader'],
    description: 'reader: a display, or a session of the read-only password',
  })
  role!: 'admin' | 'reader';

  @NestedField(() => SessionDto)
  session!: SessionDto;
}

export class TokenDto {
  @Field({
    example: 'eyJhbGciOiJIUzI1NiJ9.…',
    description: 'For `Authorization: Bearer`, and the `token` parameter of the WebSocket',
  })
  access_token!: string;

  @Field({ enum: ['Bearer'] })
  token_type!: 'Bearer';

  @Field({ example: 3600, description: 'Seconds until the token expires' })
  expires_in!: number;

  @Field({ example: false, description: 'Whether a page can get a later token by `POST /api/auth/renewal`' })
  renewable!: boolean;

  @NestedField(() => UserDto)
  user!: UserDto;
}

export class TicketDto {
  @Field({
    example: 'ticket-V2hhdCBvcGVucyBvbmNl',
    description: 'For the `token` parameter of one WebSocket',
  })
  ticket!: string;

  @Field({ example: 30, description: 'Lifetime in seconds' })
  expires_in!: number;
}

export class EndedSessionDto {
  @Field({ example: 'b3JpZ2luYWwgYmVjYXVzZSB5b3Ug', description: 'Id of the ended session' })
  id!: string;

  @Field({ enum: ['signed_out', 'ended_by_user'] })
  reason!: 'signed_out' | 'ended_by_user';
}

export class EndedSessionsDto {
  @Field({ example: 2, description: 'Number of ended sessions' })
  ended!: number;
}
