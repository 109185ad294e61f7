import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { Field } from '../../core/api/index.js';

export class TakenInDto {
  @ApiProperty({ description: 'Whether Slipway collects new lines of the source', example: false })
  @IsBoolean({ message: 'must be true or false' })
  taken_in!: boolean;
}

export class DeletedLinesDto {
  @Field({ example: 4212 })
  lines!: number;

  @Field({ description: 'Bytes of deleted text', example: 812_331 })
  bytes!: number;
}
