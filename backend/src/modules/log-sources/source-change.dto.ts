import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { Field } from '../../core/api/index.js';

export class TakenInDto {
  @ApiProperty({ description: 'Whether its lines are taken in from now on', example: false })
  @IsBoolean({ message: 'must be true or false' })
  taken_in!: boolean;
}

/** What was deleted. */
export class DeletedLinesDto {
  @Field({ example: 4212 })
  lines!: number;

  @Field({ description: 'Bytes of their text', example: 812_331 })
  bytes!: number;
}
