import { applyDecorators } from '@nestjs/common';
import { ApiParam, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { DomainError } from '../errors/index.js';
import { ADOPTED_CLUSTER_NAME, RUNTIME_ID } from '../security/index.js';
import { Optional } from './optional.js';

/** The engine of the cluster, for queries that extend another than RuntimeQueryDto. */
export function RuntimeQuery(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description: 'Container engine. Required if several engines have a cluster of this name.',
      example: 'docker',
    }),
    Optional(),
    IsString({ message: 'must be a single string' }),
    Matches(RUNTIME_ID, { message: 'must be the name of a container engine, such as docker' }),
  );
}

export class RuntimeQueryDto {
  @RuntimeQuery()
  runtime?: string;
}

/** Validates a cluster name from a path. @throws DomainError `cluster_not_found` if no cluster can have the name. */
export function clusterName(name: string): string {
  if (!ADOPTED_CLUSTER_NAME.test(name)) {
    throw new DomainError(
      'cluster_not_found',
      'The cluster does not exist. Cluster names consist of lowercase letters, digits, hyphens and dots.',
    );
  }
  return name;
}

export function ApiClusterName(): MethodDecorator & ClassDecorator {
  return ApiParam({ name: 'name', description: 'Cluster name', example: 'staging' });
}
