import { Get, Param, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { clusterName, Fails, RuntimeQueryDto } from '../../../core/api/index.js';
import { GuardedController } from '../../../core/security/index.js';
import { ClusterResources } from '../common/cluster-resources.js';
import { ReturnsJson } from '../common/json-response.js';
import { OPEN_FAILURES } from '../common/open-failures.js';
import { ApiResourceType, typeName, type TypeParameters } from '../common/resource-parameters.js';
import { SchemasService } from './schemas.service.js';

@GuardedController('resources', 'clusters/:name/schemas/:group/:version/:plural')
export class SchemasController {
  constructor(
    private readonly resources: ClusterResources,
    private readonly schemas: SchemasService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get the JSON Schema of a kind',
    description:
      'The schema that the API server publishes (OpenAPI v3), also of custom resources, reduced to what an editor needs: types, fields, required fields, allowed values, and descriptions of up to 400 characters. `additionalProperties` is false where the API server rejects or removes unknown fields.',
  })
  @ApiResourceType()
  @ReturnsJson({ type: 'object', additionalProperties: true, description: 'JSON Schema' })
  @Fails(...OPEN_FAILURES, 'resource_type_not_found', 'schema_unavailable')
  async read(
    @Param('name') name: string,
    @Param() type: TypeParameters,
    @Query() { runtime }: RuntimeQueryDto,
  ): Promise<string> {
    return await this.schemas.read(await this.resources.open(clusterName(name), runtime), typeName(type));
  }
}
