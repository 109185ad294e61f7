import { Transform } from 'class-transformer';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { Field, NestedField, Optional, RuntimeQueryDto } from '../../core/api/index.js';
import { queryInteger } from '../../core/api/query-integer.js';
import { ADOPTED_CLUSTER_NAME } from '../../core/security/index.js';

export class SearchQueryDto extends RuntimeQueryDto {
  @ApiProperty({
    description:
      'Parts of a name, case-insensitive, optionally with a kind. `shop/web` includes the namespace',
    example: 'deploy web',
  })
  @IsString({ message: 'must be given once, as text' })
  @Matches(/\S/, { message: 'must not be empty' })
  @MaxLength(253, { message: 'must have at most 253 characters' })
  q!: string;

  @ApiPropertyOptional({
    description: 'Maximum number of results',
    minimum: 1,
    maximum: 200,
    default: 50,
    type: Number,
  })
  @Optional()
  @Transform(queryInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be at least 1' })
  @Max(200, { message: 'must be at most 200' })
  limit: number = 50;

  @ApiPropertyOptional({ description: 'Search only this cluster', example: 'staging' })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @Matches(ADOPTED_CLUSTER_NAME, { message: 'is not a valid cluster name' })
  cluster?: string;
}

export class SearchResultDto {
  @Field({ example: 'staging' })
  cluster!: string;

  @Field({ example: 'docker' })
  runtime!: string;

  @Field({ description: 'API group; `core` for the core group', example: 'apps' })
  group!: string;

  @Field({ example: 'v1' })
  version!: string;

  @Field({ example: 'deployments' })
  plural!: string;

  @Field({ example: 'Deployment' })
  kind!: string;

  @Field({ type: String, nullable: true, example: 'shop' })
  namespace!: string | null;

  @Field({ example: 'web' })
  name!: string;
}

export class SearchedClusterDto {
  @Field({ example: 'staging' })
  cluster!: string;

  @Field({ example: 'docker' })
  runtime!: string;

  @Field({ description: 'Whether the cluster was searched', example: true })
  searched!: boolean;

  @Field({
    type: String,
    nullable: true,
    description: 'Why it was not searched, or only partly',
    example: '12 of 54 kinds were searched in time.',
  })
  reason!: string | null;
}

export class SearchResponseDto {
  @NestedField(() => SearchResultDto, { isArray: true, description: 'Best matches first' })
  results!: SearchResultDto[];

  @NestedField(() => SearchedClusterDto, {
    isArray: true,
    description: 'All clusters in the scope of the search',
  })
  clusters!: SearchedClusterDto[];

  @Field({ description: 'Whether there are more results than the limit', example: false })
  truncated!: boolean;
}
