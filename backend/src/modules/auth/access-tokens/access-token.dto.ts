import { ApiProperty } from '@nestjs/swagger';
import { Transform, type TransformFnParams } from 'class-transformer';
import { IsIn, isRFC3339, Matches, registerDecorator } from 'class-validator';
import { Field, NullableField, Text, toUtc } from '../../../core/api/index.js';
import { TOKEN_SCOPES, type TokenScope } from '../../../core/security/index.js';

const MAX_NAME = 64;
/** A leap year. */
export const MAX_DAYS = 366;

/** No control characters and no bidirectional formatting characters. */
const PRINTABLE = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;

export class CreateAccessTokenDto {
  @Text({ example: 'nightly report', minLength: 1, maxLength: MAX_NAME })
  @Transform(({ value }: TransformFnParams): unknown => (typeof value === 'string' ? value.trim() : value))
  @Matches(PRINTABLE, { message: 'must have printable characters only' })
  name!: string;

  @ApiProperty({
    enum: TOKEN_SCOPES,
    description:
      '`read` allows reading, checks and dry runs. `full` allows everything except managing sessions and access tokens.',
  })
  @IsIn(TOKEN_SCOPES, { message: `must be ${TOKEN_SCOPES.join(' or ')}` })
  scope!: TokenScope;

  @ApiProperty({
    format: 'date-time',
    example: '2026-12-22T08:00:00Z',
    description: `RFC 3339; at most ${MAX_DAYS} days from now`,
  })
  @Transform(({ value }: TransformFnParams) => toUtc(value))
  @ExpiresInTime()
  expires_at!: string;
}

export class AccessTokenDto {
  @Field({ example: 'k3Jx0aQ9Zt2B' })
  id!: string;

  @Field({ example: 'nightly report' })
  name!: string;

  @Field({ enum: TOKEN_SCOPES })
  scope!: TokenScope;

  @Field({ example: 'admin', description: 'The user on whose behalf it acts' })
  created_by!: string;

  @Field({ format: 'date-time', example: '2026-11-22T08:00:00.000Z' })
  created_at!: string;

  @Field({ format: 'date-time', example: '2026-12-22T08:00:00.000Z' })
  expires_at!: string;

  @NullableField(String, {
    format: 'date-time',
    example: '2026-11-23T02:00:00.000Z',
    description: 'Updated once a minute; null before the first use',
  })
  last_used_at!: string | null;
}

export class CreatedAccessTokenDto extends AccessTokenDto {
  @Field({
    example: 'slipway_…',
    description: 'For `Authorization: Bearer`. It is not stored, and no other response contains it.',
  })
  token!: string;
}

function ExpiresInTime(): PropertyDecorator {
  return (target, propertyName) => {
    registerDecorator({
      name: 'expiresInTime',
      target: target.constructor,
      propertyName: propertyName as string,
      options: { message: `must be a time in the next ${MAX_DAYS} days, such as 2026-12-22T08:00:00Z` },
      validator: { validate: isInTime },
    });
  };
}

function isInTime(value: unknown): boolean {
  if (!isRFC3339(value)) return false;
  const left = Date.parse(value as string) - Date.now();
  return left > 0 && left <= MAX_DAYS * 24 * 3600_000;
}
