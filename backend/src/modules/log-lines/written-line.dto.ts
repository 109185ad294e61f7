import { Field, NullableField } from '../../core/api/index.js';
import { LEVELS, type Level } from '../../drivers/log-store/index.js';

/** The fields that stored lines and lines read from a pod share. */
export class WrittenLineDto {
  @Field({ description: 'When the engine received the line', example: '2026-11-21T09:44:02.117003Z' })
  time!: string;

  @NullableField(String, { enum: LEVELS, example: 'error' })
  level!: Level | null;

  @Field({
    description: 'Text including terminal escape sequences',
    example: 'upstream timeout',
  })
  text!: string;

  @Field({ description: 'Bytes cut from the end', example: 0 })
  cut!: number;

  @Field({ description: 'Whether the line continues the previous one', example: false })
  continues!: boolean;
}
