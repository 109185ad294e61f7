import { Transform } from 'class-transformer';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { Optional } from '../../../core/api/index.js';
import { queryInteger } from '../../../core/api/query-integer.js';
import { NamespaceQueryDto } from '../resource-parameters.js';
import { PAGE_TOKEN } from './page-token.js';

const MAX_ROWS = 1000;

/** Characters of selectors. The API server validates the syntax. */
const LABEL_SELECTOR = /^[A-Za-z0-9_./\-=!,() ]*$/;
const FIELD_SELECTOR = /^[A-Za-z0-9_./\-=!,:@+ ]*$/;

export class TableQueryDto extends NamespaceQueryDto {
  @ApiPropertyOptional({
    description: 'Rows per page',
    minimum: 1,
    maximum: MAX_ROWS,
    default: 100,
    type: Number,
  })
  @Optional()
  @Transform(queryInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be at least 1' })
  @Max(MAX_ROWS, { message: `must be at most ${MAX_ROWS}` })
  limit: number = 100;

  @ApiPropertyOptional({ description: '`continue` of the previous page' })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @Matches(PAGE_TOKEN, { message: 'is not a valid page token' })
  continue?: string;

  @ApiPropertyOptional({ description: 'As in `kubectl get -l`', example: 'app=web,tier!=db' })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @MaxLength(1000, { message: 'must have at most 1000 characters' })
  @Matches(LABEL_SELECTOR, { message: 'is not a valid label selector' })
  label_selector?: string;

  @ApiPropertyOptional({
    description: 'As in `kubectl get --field-selector`',
    example: 'status.phase=Running',
  })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @MaxLength(1000, { message: 'must have at most 1000 characters' })
  @Matches(FIELD_SELECTOR, { message: 'is not a valid field selector' })
  field_selector?: string;

  @ApiPropertyOptional({ description: 'Part of the name; case-insensitive', example: 'web' })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @MaxLength(253, { message: 'must have at most 253 characters' })
  search?: string;
}
