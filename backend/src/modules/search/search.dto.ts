import { Matches } from 'class-validator';
import {
  Field,
  NestedField,
  NullableField,
  OptionalText,
  QueryInteger,
  RuntimeQueryDto,
  Text,
} from '../../core/api/index.js';
import { ADOPTED_CLUSTER_NAME } from '../../core/security/index.js';
import { ResourceReferenceDto } from '../resources/index.js';

export class SearchQueryDto extends RuntimeQueryDto {
  @Text({
    description:
      'Parts of a name, case-insensitive, optionally with a kind. `shop/web` includes the namespace',
    example: 'deploy web',
    maxLength: 253,
  })
  @Matches(/\S/, { message: 'must not be empty' })
  q!: string;

  @QueryInteger({ description: 'Maximum number of results', minimum: 1, maximum: 200, default: 50 })
  limit: number = 50;

  @OptionalText({ description: 'Search only this cluster', example: 'staging' })
  @Matches(ADOPTED_CLUSTER_NAME, { message: 'is not a valid cluster name' })
  cluster?: string;
}

export class SearchResultDto extends ResourceReferenceDto {
  @Field({ example: 'staging' })
  cluster!: string;

  @Field({ example: 'docker' })
  runtime!: string;
}

export class SearchedClusterDto {
  @Field({ example: 'staging' })
  cluster!: string;

  @Field({ example: 'docker' })
  runtime!: string;

  @Field({ description: 'Whether the cluster was searched', example: true })
  searched!: boolean;

  @NullableField(String, {
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
