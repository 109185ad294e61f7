import { applyDecorators } from '@nestjs/common';
import { ApiParam, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { Optional } from '../../core/api/index.js';
import { DomainError } from '../../core/errors/index.js';
import { ADOPTED_CLUSTER_NAME, CLUSTER_NAME, RUNTIME_ID } from '../../core/security/index.js';

/** Tells two clusters of one name apart. */
export class RuntimeQueryDto {
  @ApiPropertyOptional({
    description: 'Which engine, where two hold a cluster of this name',
    example: 'docker',
  })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @Matches(RUNTIME_ID, { message: 'must be the name of a runtime, such as docker' })
  runtime?: string;
}

/** The name of a cluster that is yet to be made: narrower than what kind itself takes. */
export function IsNewClusterName(): PropertyDecorator {
  return applyDecorators(
    IsString({ message: 'must be text' }),
    Matches(CLUSTER_NAME, {
      message:
        'must be 1 to 40 small letters, digits and hyphens, with a letter or digit at both ends, such as staging-eu',
    }),
  );
}

/** A name from a path. One that no cluster can have is a cluster that does not exist. */
export function clusterName(name: string): string {
  if (!ADOPTED_CLUSTER_NAME.test(name)) {
    throw new DomainError(
      'cluster_not_found',
      'There is no such cluster: a name has small letters, digits, hyphens and dots.',
    );
  }
  return name;
}

export function ApiClusterName(): MethodDecorator & ClassDecorator {
  return ApiParam({ name: 'name', description: 'Name of the cluster', example: 'staging' });
}
