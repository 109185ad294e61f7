import { Field, NullableField } from '../../core/api/index.js';
import { WrittenLineDto } from './written-line.dto.js';

export class LineDto extends WrittenLineDto {
  @Field({ description: 'Id of the source', example: 17 })
  source!: number;

  @Field({ description: 'Number of the line in the source', example: 4212 })
  seq!: number;

  @NullableField(String, { enum: ['stdout', 'stderr'], example: 'stderr' })
  stream!: 'stdout' | 'stderr' | null;

  @Field({
    description:
      'true if `text` is only the start of the line. Read the single line for the full text. Absent otherwise.',
    required: false,
    type: Boolean,
    example: true,
  })
  shortened?: boolean;
}
