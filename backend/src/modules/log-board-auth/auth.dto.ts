import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { Field, NestedField } from '../../core/api/index.js';

/** Longer than any password, short enough to hash. */
const LONGEST = 1024;

export class LoginDto {
  @ApiProperty({ example: 'admin', maxLength: LONGEST })
  @IsString({ message: 'must be text' })
  @Length(1, LONGEST, { message: `must have 1 to ${LONGEST} characters` })
  username!: string;

  @ApiProperty({ example: 'correct horse battery staple', format: 'password', maxLength: LONGEST })
  @IsString({ message: 'must be text' })
  @Length(1, LONGEST, { message: `must have 1 to ${LONGEST} characters` })
  password!: string;
}

export class LinkDto {
  @ApiProperty({
    example: 'b25lLXRpbWUgdG9rZW4gb2YgYSBsaW5r',
    description: 'What follows `#link=` in the printed address',
    maxLength: LONGEST,
  })
  @IsString({ message: 'must be text' })
  @Length(1, LONGEST, { message: `must have 1 to ${LONGEST} characters` })
  token!: string;
}

/** A session, as its user sees it. */
export class SessionDto {
  @Field({ example: 'b3JpZ2luYWwgYmVjYXVzZSB5b3Ug', description: 'Also the `jti` of its tokens' })
  id!: string;

  @Field({ format: 'date-time', example: '2026-11-22T08:00:00.000Z' })
  created_at!: string;

  @Field({
    format: 'date-time',
    example: '2026-11-22T09:00:00.000Z',
    description: 'Only signing in again gives a later one',
  })
  expires_at!: string;
}

export class ListedSessionDto extends SessionDto {
  @Field({ format: 'date-time', example: '2026-11-22T08:41:00.000Z', description: 'To the minute' })
  last_seen_at!: string;

  @Field({ example: '127.0.0.1', description: 'Where it was begun' })
  address!: string;

  @Field({ example: 'curl/8.5.0', description: 'What the program that began it calls itself' })
  user_agent!: string;

  @Field({ description: 'Whether it is the one of this request' })
  current!: boolean;
}

export class UserDto {
  @Field({ example: 'admin' })
  username!: string;

  @Field({ enum: ['admin'] })
  role!: 'admin';

  @NestedField(() => SessionDto)
  session!: SessionDto;
}

export class TokenDto {
  @Field({
    example: 'eyJhbGciOiJIUzI1NiJ9.…',
    description: 'For `Authorization: Bearer`, and for `token` of the WebSocket',
  })
  access_token!: string;

  @Field({ enum: ['Bearer'] })
  token_type!: 'Bearer';

  @Field({ example: 3600, description: 'Seconds until the session ends' })
  expires_in!: number;

  @NestedField(() => UserDto)
  user!: UserDto;
}

export class TicketDto {
  @Field({ example: 'ticket-V2hhdCBvcGVucyBvbmNl', description: 'For `token` of the WebSocket, once' })
  ticket!: string;

  @Field({ example: 30, description: 'Seconds' })
  expires_in!: number;
}

export class EndedSessionDto {
  @Field({ example: 'b3JpZ2luYWwgYmVjYXVzZSB5b3Ug', description: 'The session that was ended' })
  id!: string;

  @Field({ enum: ['signed_out', 'ended_by_user'] })
  reason!: 'signed_out' | 'ended_by_user';
}

export class EndedSessionsDto {
  @Field({ example: 2, description: 'How many sessions were ended' })
  ended!: number;
}
