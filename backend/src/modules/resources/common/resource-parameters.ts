import { applyDecorators } from '@nestjs/common';
import { ApiParam, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, Matches } from 'class-validator';
import { ApiClusterName, Optional, OptionalText, RuntimeQueryDto } from '../../../core/api/index.js';
import { DomainError } from '../../../core/errors/index.js';
import { NAMESPACE_NAME, OBJECT_NAME, isTypeName } from '../../../core/security/index.js';
import type { ResourceReference, ResourceType, TypeName } from '../../../drivers/kubernetes/index.js';

/** How the core group, which has no name, is written in addresses and answers. */
export const CORE_GROUP = 'core';

export interface TypeParameters {
  group: string;
  version: string;
  plural: string;
}

export interface ObjectParameters extends TypeParameters {
  object: string;
}

export class NamespaceQueryDto extends RuntimeQueryDto {
  @OptionalText({ description: 'For namespaced kinds', example: 'shop' })
  @Matches(NAMESPACE_NAME, { message: 'is not a valid namespace name' })
  namespace?: string;
}

export const MAX_NAMESPACES = 20;

export class NamespacesQueryDto extends RuntimeQueryDto {
  @ApiPropertyOptional({
    type: String,
    description: `Only objects in these namespaces, up to ${MAX_NAMESPACES}. Does not apply to cluster-scoped kinds`,
    example: 'shop,monitoring',
  })
  @Optional()
  // A repeated parameter is an array, which is refused like everything else.
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : false))
  @IsArray({ message: 'must be given once, as a comma-separated list of names' })
  @ArrayMaxSize(MAX_NAMESPACES, { message: `must be at most ${MAX_NAMESPACES} names` })
  @Matches(NAMESPACE_NAME, { each: true, message: 'must be valid namespace names, such as shop' })
  namespace?: string[];
}

/** Validates a type in a path. @throws DomainError `resource_type_not_found` */
export function typeName({ group, version, plural }: TypeParameters): TypeName {
  if (!isTypeName({ group, version, plural })) {
    throw new DomainError(
      'resource_type_not_found',
      'The resource type is invalid. The path must contain a group (`core` for the core group), a version and a plural, such as apps/v1/deployments.',
    );
  }
  return { group: group === CORE_GROUP ? '' : group, version, plural };
}

/** @throws DomainError `resource_not_found` for an invalid name, `invalid_input` if a namespaced kind has no namespace */
export function referenceTo(
  type: ResourceType,
  name: string,
  namespace: string | undefined,
): ResourceReference {
  if (!OBJECT_NAME.test(name)) {
    throw new DomainError('resource_not_found', 'The object does not exist: its name is invalid.');
  }
  if (type.namespaced && namespace === undefined) {
    throw new DomainError('invalid_input', `${type.kind} is a namespaced kind. Add ?namespace= to the URL.`, [
      { field: 'namespace', problem: 'is required' },
    ]);
  }
  const { group, version, plural } = type;
  return { group, version, plural, namespace: type.namespaced ? (namespace ?? null) : null, name };
}

export function ApiResourceType(): MethodDecorator {
  return applyDecorators(
    ApiClusterName(),
    ApiParam({ name: 'group', description: 'API group; `core` for the core group', example: 'apps' }),
    ApiParam({ name: 'version', example: 'v1' }),
    ApiParam({ name: 'plural', example: 'deployments' }),
  );
}

export function ApiResourceObject(): MethodDecorator {
  return applyDecorators(
    ApiResourceType(),
    ApiParam({ name: 'object', description: 'Name of the object', example: 'web' }),
  );
}
