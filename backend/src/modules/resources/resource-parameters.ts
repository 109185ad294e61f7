import { applyDecorators } from '@nestjs/common';
import { ApiParam, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { Optional, ApiClusterName, RuntimeQueryDto } from '../../core/api/index.js';
import { DomainError } from '../../core/errors/index.js';
import {
  API_GROUP,
  API_VERSION,
  NAMESPACE_NAME,
  OBJECT_NAME,
  RESOURCE_PLURAL,
} from '../../core/security/index.js';
import type { ResourceReference, ResourceType, TypeName } from '../../drivers/kubernetes/index.js';

/** How the core group, which has no name, is written in addresses and answers. */
export const CORE_GROUP = 'core';

/** Parts of an address that name a type. */
export interface TypeParameters {
  group: string;
  version: string;
  plural: string;
}

/** Where a namespace can be given. */
export class NamespaceQueryDto extends RuntimeQueryDto {
  @ApiPropertyOptional({ description: 'Of kinds that are in namespaces', example: 'shop' })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @Matches(NAMESPACE_NAME, { message: 'is not the name of a namespace' })
  namespace?: string;
}

/** A type from a path. @throws DomainError `resource_type_not_found` for one that no cluster can serve */
export function typeName({ group, version, plural }: TypeParameters): TypeName {
  if (!(API_GROUP.test(group) && API_VERSION.test(version) && RESOURCE_PLURAL.test(plural))) {
    throw new DomainError(
      'resource_type_not_found',
      'No cluster serves such a type: the address has a group (core for the core group), a version and a plural, as in apps/v1/deployments.',
    );
  }
  return { group: group === CORE_GROUP ? '' : group, version, plural };
}

/**
 * An object from a path and its namespace from the query.
 * @throws DomainError `resource_not_found` for a name that no object can have, `invalid_input` without a namespace
 * where the kind has one
 */
export function referenceTo(
  type: ResourceType,
  name: string,
  namespace: string | undefined,
): ResourceReference {
  if (!OBJECT_NAME.test(name)) {
    throw new DomainError('resource_not_found', 'There is no such object: no object can be called so.');
  }
  if (type.namespaced && namespace === undefined) {
    throw new DomainError('invalid_input', `Say with ?namespace= in which namespace the ${type.kind} is.`, [
      { field: 'namespace', problem: 'is missing' },
    ]);
  }
  const { group, version, plural } = type;
  return { group, version, plural, namespace: type.namespaced ? (namespace ?? null) : null, name };
}

/** Documents the parts of an address that name a type. */
export function ApiResourceType(): MethodDecorator {
  return applyDecorators(
    ApiClusterName(),
    ApiParam({ name: 'group', description: 'API group; `core` for the core group', example: 'apps' }),
    ApiParam({ name: 'version', example: 'v1' }),
    ApiParam({ name: 'plural', example: 'deployments' }),
  );
}

/** Documents the parts of an address that name an object. */
export function ApiResourceObject(): MethodDecorator {
  return applyDecorators(
    ApiResourceType(),
    ApiParam({ name: 'object', description: 'Name of the object', example: 'web' }),
  );
}
