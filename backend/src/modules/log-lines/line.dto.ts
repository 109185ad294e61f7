import { Field } from '../../core/api/index.js';
import { WrittenLineDto } from './written-line.dto.js';

/** A line, as the API tells it. */
export class LineDto extends WrittenLineDto {
  @Field({ description: 'Source that it is of', example: 17 })
  source!: number;

  @Field({ description: 'Its number within the source', example: 4212 })
  seq!: number;

  @Field({ type: String, enum: ['stdout', 'stderr'], nullable: true, example: 'stderr' })
  stream!: 'stdout' | 'stderr' | null;

  @Field({
    description: 'There, and true, where `text` is only the begin of it: the line by itself has all of it',
    required: false,
    type: Boolean,
    example: true,
  })
  shortened?: true;
}
