import { Transform } from 'class-transformer';
import { ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, Matches } from 'class-validator';
import { Optional, QueryInteger } from '../../../core/api/index.js';
import { NamespacesQueryDto } from '../common/resource-parameters.js';
import { OverviewSummaryDto, ResourceBlockDto } from '../common/resource.dto.js';
import { BUILT_IN_BLOCKS } from './built-in-kinds.js';

const MAX_BLOCK_ROWS = 500;
const MAX_BLOCKS = 200;

export class OverviewQueryDto extends NamespacesQueryDto {
  @ApiPropertyOptional({
    type: String,
    description: 'Only these blocks, with or without the prefix `k8s_`',
    example: 'pods,nodes,certificates.cert-manager.io',
  })
  @Optional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value))
  @IsArray({ message: 'must be given once, as a comma-separated list of names' })
  @ArrayMaxSize(MAX_BLOCKS, { message: `must be at most ${MAX_BLOCKS} names` })
  @Matches(/^(k8s_)?[a-z][a-z0-9-]{0,62}(\.[a-z0-9-]{1,63}){0,10}$/, {
    each: true,
    message: 'must be names of blocks, such as pods',
  })
  blocks?: string[];

  @QueryInteger({
    description: 'Rows per block. If the limit exceeds the total, rows are in the order of kubectl',
    minimum: 0,
    maximum: MAX_BLOCK_ROWS,
    default: 5,
  })
  limit: number = 5;
}

/** An overview with one block per kind. Kinds come from discovery. */
export interface Overview {
  cluster: string;
  runtime: string;
  taken_at: string;
  summary: OverviewSummaryDto;
  [block: `k8s_${string}`]: ResourceBlockDto;
}

/** Blocks are optional in the schema, since a request can select some. */
export function overviewSchema(): object {
  const block = { $ref: getSchemaPath(ResourceBlockDto) };
  return {
    type: 'object',
    required: ['cluster', 'runtime', 'taken_at', 'summary'],
    properties: {
      cluster: { type: 'string', example: 'staging' },
      runtime: { type: 'string', example: 'docker' },
      taken_at: { type: 'string', format: 'date-time' },
      summary: { $ref: getSchemaPath(OverviewSummaryDto) },
      ...Object.fromEntries(BUILT_IN_BLOCKS.map((name) => [name, block])),
    },
    additionalProperties: block,
  };
}
