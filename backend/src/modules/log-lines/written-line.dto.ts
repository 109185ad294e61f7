import { Field } from '../../core/api/index.js';
import { LEVELS, type Level } from '../../drivers/log-store/index.js';

/** What is told of a line wherever it was read: from the history, or just now from a pod. */
export class WrittenLineDto {
  @Field({ description: 'When the engine took it in', example: '2026-11-21T09:44:02.117003Z' })
  time!: string;

  @Field({ type: String, enum: LEVELS, nullable: true, example: 'error' })
  level!: Level | null;

  @Field({
    description: 'With the escapes of terminals, for the reader to draw',
    example: 'upstream timeout',
  })
  text!: string;

  @Field({ description: 'Bytes that were cut off its end', example: 0 })
  cut!: number;

  @Field({ description: 'Whether it belongs to the line before it', example: false })
  continues!: boolean;
}
