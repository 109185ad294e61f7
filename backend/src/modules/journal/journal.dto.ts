import { Transform } from 'class-transformer';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsRFC3339, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { Field, NestedField, Optional } from '../../core/api/index.js';
import { queryInteger } from '../../core/api/query-integer.js';
import { queryTime } from '../../core/api/query-time.js';
import { ACTOR_KINDS, type Actor } from '../../core/logging/index.js';
import { ADOPTED_CLUSTER_NAME, RUNTIME_ID } from '../../core/security/index.js';
import { JOURNAL_OUTCOMES, type JournalOutcome } from './journal-entry.js';

/** Which entries. */
export class JournalFilterDto {
  @ApiPropertyOptional({ description: 'Only entries of this cluster', example: 'staging' })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @Matches(ADOPTED_CLUSTER_NAME, { message: 'is not a cluster name' })
  cluster?: string;

  @ApiPropertyOptional({
    description: 'Only entries of this engine’s clusters, where two hold one name',
    example: 'docker',
  })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @Matches(RUNTIME_ID, { message: 'must be the name of a runtime, such as docker' })
  runtime?: string;

  @ApiPropertyOptional({
    description:
      'Only entries of this kind, such as `create` or `addon-install`; `addon` alone is all that begin so',
    example: 'create',
  })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @Matches(/^[a-z][a-z-]{0,40}$/, { message: 'is not a kind of entry' })
  kind?: string;

  @ApiPropertyOptional({ description: 'Only entries that ended so', enum: JOURNAL_OUTCOMES })
  @Optional()
  @IsIn(JOURNAL_OUTCOMES, { message: `must be one of ${JOURNAL_OUTCOMES.join(', ')}` })
  outcome?: JournalOutcome;

  @ApiPropertyOptional({ description: 'Only entries whose message holds this text', example: 'rolled back' })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @MaxLength(200, { message: 'must have at most 200 characters' })
  text?: string;

  @ApiPropertyOptional({
    description:
      'Only entries of this actor: a user, an address, the id of a session or access token, the name of an access token, or a kind of actor',
    example: 'admin',
  })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @MaxLength(100, { message: 'must have at most 100 characters' })
  actor?: string;

  @ApiPropertyOptional({
    description: 'Only entries from this time on (RFC 3339)',
    example: '2026-11-21T00:00:00Z',
  })
  @Optional()
  @Transform(queryTime)
  @IsRFC3339({ message: 'must be an RFC 3339 time, such as 2026-11-21T00:00:00Z' })
  since?: string;

  @ApiPropertyOptional({
    description: 'Only entries before this time (RFC 3339)',
    example: '2026-11-22T00:00:00Z',
  })
  @Optional()
  @Transform(queryTime)
  @IsRFC3339({ message: 'must be an RFC 3339 time, such as 2026-11-22T00:00:00Z' })
  until?: string;
}

export const JOURNAL_EXPORT_FORMATS = ['ndjson', 'csv'] as const;
export type JournalExportFormat = (typeof JOURNAL_EXPORT_FORMATS)[number];

/** All of them, as a file. */
export class JournalExportQueryDto extends JournalFilterDto {
  @ApiPropertyOptional({
    description: 'An object of JSON for each line, or CSV (RFC 4180) with a header row',
    enum: JOURNAL_EXPORT_FORMATS,
    default: 'ndjson',
  })
  @Optional()
  @IsIn(JOURNAL_EXPORT_FORMATS, { message: `must be one of ${JOURNAL_EXPORT_FORMATS.join(', ')}` })
  format: JournalExportFormat = 'ndjson';
}

/** A page of them. */
export class JournalQueryDto extends JournalFilterDto {
  @ApiPropertyOptional({ description: 'Entries a page', minimum: 1, maximum: 200, default: 30, type: Number })
  @Optional()
  @Transform(queryInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be at least 1' })
  @Max(200, { message: 'must be at most 200' })
  limit: number = 30;

  @ApiPropertyOptional({ description: 'Entries to pass over', minimum: 0, default: 0, type: Number })
  @Optional()
  @Transform(queryInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(0, { message: 'must not be negative' })
  @Max(1_000_000, { message: 'must be at most 1000000' })
  offset: number = 0;
}

export class JournalActorDto {
  @Field({
    enum: ACTOR_KINDS,
    enumName: 'ActorKind',
    description:
      '`session`: signed in; `token`: access token; `local`: a connection of this machine that needs no sign-in; `system`: Slipway itself; `anonymous`: a failed sign-in',
  })
  kind!: Actor['kind'];

  @Field({ example: 'admin' })
  user!: string;

  @Field({
    type: String,
    nullable: true,
    description: 'Public id of the session (its first 6 characters) or access token',
    example: 'b3JpZ2',
  })
  id!: string | null;

  @Field({ type: String, nullable: true, description: 'Name of the access token', example: null })
  name!: string | null;

  @Field({ type: String, nullable: true, description: 'The client’s address', example: '127.0.0.1' })
  address!: string | null;
}

export class JournalEntryDto {
  @Field({ example: 42 })
  id!: number;

  @Field({
    description: 'When it ended, or began while it is under way',
    example: '2026-11-21T09:26:44.102Z',
  })
  time!: string;

  @Field({ description: 'What was done', example: 'create' })
  kind!: string;

  @Field({ type: String, nullable: true, example: 'staging' })
  cluster!: string | null;

  @Field({
    type: String,
    nullable: true,
    description: 'Engine of the cluster; null where an older entry does not tell',
    example: 'docker',
  })
  runtime!: string | null;

  @Field({
    type: String,
    nullable: true,
    description: 'What it was done to, where that is not the cluster itself',
    example: null,
  })
  subject!: string | null;

  @Field({ enum: JOURNAL_OUTCOMES, enumName: 'JournalOutcome' })
  outcome!: JournalOutcome;

  @Field({ example: 'Created with 1 control plane and 2 workers of v1.34.4 on docker.' })
  message!: string;

  @Field({ type: Number, nullable: true, example: 12 })
  job_id!: number | null;

  @Field({ type: Number, nullable: true, description: 'How long it took, in milliseconds', example: 34_120 })
  duration_ms!: number | null;

  @NestedField(() => JournalActorDto, {
    nullable: true,
    description:
      'Who did it, for a job who submitted it; null for entries of versions that did not record it',
  })
  actor!: JournalActorDto | null;
}

export class JournalPageDto {
  @NestedField(() => JournalEntryDto, { isArray: true })
  entries!: JournalEntryDto[];

  @Field({ description: 'Entries that fit the filter', example: 412 })
  total!: number;

  @Field({ description: 'This page, counted from 1', example: 1 })
  page!: number;

  @Field({ example: 14 })
  total_pages!: number;

  @Field({ example: 30 })
  limit!: number;

  @Field({ example: 0 })
  offset!: number;
}
