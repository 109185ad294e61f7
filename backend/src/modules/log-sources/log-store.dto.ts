import { Field, NestedField, NullableField } from '../../core/api/index.js';
import type { LogStoreCapabilities, LogStoreKind, LogStoreStatus } from '../../drivers/log-store/index.js';

/** How the log store differs from others. */
export class LogStoreCapabilitiesDto {
  @Field({
    enum: ['erase', 'hide'],
    enumName: 'LogDeletion',
    description:
      'erase: deleted lines are removed from the disk. hide: they are hidden until the database drops them.',
  })
  deletion!: LogStoreCapabilities['deletion'];

  @Field({
    enum: ['store', 'database'],
    enumName: 'LogRetention',
    description: 'Who enforces retention limits: Slipway (store), or the database',
  })
  retention!: LogStoreCapabilities['retention'];

  @Field({
    enum: ['javascript', 're2'],
    enumName: 'RegexSyntax',
    description: 'Syntax of regexes in searches',
  })
  regex!: LogStoreCapabilities['regex'];
}

/** Retention limits of the log store. The oldest lines are deleted first. */
export class LogRetentionDto {
  @Field({
    description: 'Maximum bytes on disk for all sources, set by APP_LOG_HISTORY_SIZE',
    example: 2_000_000_000,
  })
  total_bytes!: number;

  @Field({
    description: 'Maximum bytes on disk for one source, set by APP_LOG_SOURCE_SIZE',
    example: 200_000_000,
  })
  bytes_per_source!: number;

  @Field({ description: 'Days after which a line is deleted, set by APP_LOG_HISTORY_DAYS', example: 14 })
  max_age_days!: number;
}

/** Where log lines are stored, and whether that works. */
export class LogStoreDto {
  @Field({ enum: ['embedded', 'victorialogs'], enumName: 'LogStoreKind' })
  kind!: LogStoreKind;

  @Field({
    enum: ['ok', 'degraded', 'unavailable'],
    enumName: 'LogStoreState',
    description:
      'degraded: lines cannot be written now and wait; Slipway retries. unavailable: stored lines cannot be read either.',
  })
  state!: LogStoreStatus['state'];

  @NullableField(String, {
    description: 'What is wrong and what to do; null if the state is ok',
    example: null,
  })
  reason!: string | null;

  @NullableField(String, {
    description: 'What was set aside or moved when the store was opened; null if nothing',
    example: null,
  })
  notice!: string | null;

  @Field({ description: 'Bytes that wait to be written', example: 0 })
  pending_bytes!: number;

  @Field({
    description: 'Lines discarded because too many waited, since the store was opened',
    example: 0,
  })
  discarded_lines!: number;

  @NullableField(Number, {
    description: 'Bytes on disk that count toward the total limit; null if unknown',
    example: 812_331_008,
  })
  bytes_on_disk!: number | null;

  @NestedField(() => LogStoreCapabilitiesDto)
  capabilities!: LogStoreCapabilitiesDto;

  @NestedField(() => LogRetentionDto, {
    nullable: true,
    description: 'Retention limits; null if the database decides how long lines are kept',
  })
  retention!: LogRetentionDto | null;
}

/** Whether the log store works, as open pages receive it. `open` is false until Slipway can open it and reads lines. */
export type LogStoreHealth = Pick<LogStoreDto, 'state' | 'reason' | 'notice'> & { open: boolean };
