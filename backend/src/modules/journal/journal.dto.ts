import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';
import {
  Field,
  NestedField,
  NullableField,
  Optional,
  OptionalText,
  QueryFlag,
  QueryInteger,
  QueryTime,
} from '../../core/api/index.js';
import { ACTOR_KINDS, type Actor } from '../../core/logging/index.js';
import { ADOPTED_CLUSTER_NAME, RUNTIME_ID } from '../../core/security/index.js';

const JOURNAL_OUTCOMES = ['started', 'succeeded', 'failed', 'cancelled', 'interrupted'] as const;
export type JournalOutcome = (typeof JOURNAL_OUTCOMES)[number];

export class JournalFilterDto {
  @OptionalText({ description: 'Only entries of this cluster', example: 'staging' })
  @Matches(ADOPTED_CLUSTER_NAME, { message: 'must be a cluster name' })
  cluster?: string;

  @OptionalText({ description: 'Only entries of this engine, and those without one', example: 'docker' })
  @Matches(RUNTIME_ID, { message: 'must be the name of a runtime, such as docker' })
  runtime?: string;

  @OptionalText({
    description:
      'Only entries of this kind, such as `create` or `addon-install`. `addon` matches all kinds that start with `addon-`',
    example: 'create',
  })
  @Matches(/^[a-z][a-z-]{0,40}$/, { message: 'must be a kind of entry, such as create' })
  kind?: string;

  @ApiPropertyOptional({ description: 'Only entries with this outcome', enum: JOURNAL_OUTCOMES })
  @Optional()
  @IsIn(JOURNAL_OUTCOMES, { message: `must be one of ${JOURNAL_OUTCOMES.join(', ')}` })
  outcome?: JournalOutcome;

  @OptionalText({
    description: 'Only entries whose message contains this text',
    example: 'rolled back',
    maxLength: 200,
  })
  text?: string;

  @OptionalText({
    description:
      'Only entries of this actor: a user, an address, the id of a session or access token, the name of an access token, or a kind of actor',
    example: 'admin',
    maxLength: 100,
  })
  actor?: string;

  @QueryTime({ description: 'Only entries from this time on (RFC 3339)', example: '2026-11-21T00:00:00Z' })
  since?: string;

  @QueryTime({ description: 'Only entries before this time (RFC 3339)', example: '2026-11-22T00:00:00Z' })
  until?: string;
}

const JOURNAL_EXPORT_FORMATS = ['ndjson', 'csv'] as const;
export type JournalExportFormat = (typeof JOURNAL_EXPORT_FORMATS)[number];

export class JournalExportQueryDto extends JournalFilterDto {
  @ApiPropertyOptional({
    description: 'One JSON object per line, or CSV (RFC 4180) with a header row',
    enum: JOURNAL_EXPORT_FORMATS,
    default: 'ndjson',
  })
  @Optional()
  @IsIn(JOURNAL_EXPORT_FORMATS, { message: `must be one of ${JOURNAL_EXPORT_FORMATS.join(', ')}` })
  format: JournalExportFormat = 'ndjson';
}

export class JournalQueryDto extends JournalFilterDto {
  @QueryInteger({ description: 'Entries per page', minimum: 1, maximum: 200, default: 30 })
  limit: number = 30;

  @QueryInteger({ description: 'Entries to skip', minimum: 0, maximum: 1_000_000, default: 0 })
  offset: number = 0;

  @QueryFlag({
    description:
      'Of the entries that one request recorded for several objects, lists only the first, with their number',
    default: false,
  })
  grouped?: boolean;

  @QueryInteger({
    description: 'Only the entries of the group with this first entry',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    example: 42,
  })
  group?: number;
}

export class JournalActorDto {
  @Field({
    enum: ACTOR_KINDS,
    enumName: 'ActorKind',
    description:
      '`session`: signed in; `token`: access token; `local`: a connection from the host that needs no sign-in, or the command line; `system`: Slipway itself; `outside`: another program or the machine; `anonymous`: a failed sign-in',
  })
  kind!: Actor['kind'];

  @Field({ example: 'admin' })
  user!: string;

  @NullableField(String, {
    description: 'Public id of the session (its first 6 characters) or access token',
    example: 'b3JpZ2',
  })
  id!: string | null;

  @NullableField(String, { description: 'Name of the access token, or `read-only`', example: null })
  name!: string | null;

  @NullableField(String, { description: 'The client’s address', example: '127.0.0.1' })
  address!: string | null;
}

export class JournalEntryDto {
  @Field({ example: 42 })
  id!: number;

  @Field({
    description: 'When the operation ended, or started if it is active',
    example: '2026-11-21T09:26:44.102Z',
  })
  time!: string;

  @Field({ description: 'Kind of operation or event', example: 'create' })
  kind!: string;

  @NullableField(String, { example: 'staging' })
  cluster!: string | null;

  @NullableField(String, { description: 'Engine of the cluster; null for older entries', example: 'docker' })
  runtime!: string | null;

  @NullableField(String, {
    description: 'The affected object, if it is not the cluster itself',
    example: null,
  })
  subject!: string | null;

  @Field({ enum: JOURNAL_OUTCOMES, enumName: 'JournalOutcome' })
  outcome!: JournalOutcome;

  @Field({ example: 'Created with 1 control plane and 2 workers of v1.34.4 on docker.' })
  message!: string;

  @NullableField(Number, { example: 12 })
  job_id!: number | null;

  @NullableField(Number, { description: 'Duration in milliseconds', example: 34_120 })
  duration_ms!: number | null;

  @NestedField(() => JournalActorDto, {
    nullable: true,
    description: 'Who did it, or submitted the job; null for entries from versions that did not record it',
  })
  actor!: JournalActorDto | null;
}

export class JournalListEntryDto extends JournalEntryDto {
  @Field({
    description:
      'Number of entries in the group that this one is the first of: one request made the same change of several objects. 1 without a group',
    example: 1,
  })
  group_size!: number;

  @Field({ description: 'How many of them failed', example: 0 })
  group_failed!: number;

  @Field({ description: 'Whether the journal keeps what it changed', example: true })
  has_diff!: boolean;
}

export class JournalDiffDto {
  @NullableField(String, {
    description:
      'The changed lines with 12 lines before and after them, as YAML; null for a new object. Values of Secrets are hidden',
    example: 'replicas: 2\n',
  })
  before!: string | null;

  @Field({ description: 'Empty for a deleted object', example: 'replicas: 3\n' })
  after!: string;

  @Field({ description: 'Number of the first line in the whole YAML', example: 1 })
  first_line!: number;

  @Field({
    description: 'Whether lines at the end are left out: the journal keeps up to 8 kB',
    example: false,
  })
  truncated!: boolean;
}

export class JournalEntryWithDiffDto extends JournalListEntryDto {
  @NestedField(() => JournalDiffDto, {
    nullable: true,
    description: 'What it changed; null if it changed no object or several ones, and for older entries',
  })
  diff!: JournalDiffDto | null;
}

export class JournalPageDto {
  @NestedField(() => JournalListEntryDto, { isArray: true })
  entries!: JournalListEntryDto[];

  @Field({ description: 'Number of matching entries', example: 412 })
  total!: number;

  @Field({ description: 'Page number, from 1', example: 1 })
  page!: number;

  @Field({ example: 14 })
  total_pages!: number;

  @Field({ example: 30 })
  limit!: number;

  @Field({ example: 0 })
  offset!: number;
}
