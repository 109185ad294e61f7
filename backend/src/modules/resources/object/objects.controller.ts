import { Get, Param, Query, Req, Res } from '@nestjs/common';
import { applyDecorators, SerializeOptions } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Fails, clusterName } from '../../../core/api/index.js';
import { GuardedController } from '../../../core/security/index.js';
import { ClusterResources } from '../common/cluster-resources.js';
import { ReturnsJson } from '../common/json-response.js';
import { ResourceObjectDto } from '../common/object.dto.js';
import { OBJECT_FAILURES } from '../common/open-failures.js';
import {
  ApiResourceObject,
  NamespaceQueryDto,
  typeName,
  type ObjectParameters,
} from '../common/resource-parameters.js';
import { ResourceTableDto } from '../common/resource.dto.js';
import { yaml } from '../manifests/resource-yaml-process.js';
import { ObjectsService } from './objects.service.js';

@GuardedController('resources', 'clusters/:name/resources/:group/:version/:plural/:object')
export class ObjectsController {
  constructor(
    private readonly resources: ClusterResources,
    private readonly objects: ObjectsService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get an object',
    description:
      'As JSON that includes the YAML, or as plain YAML (`Accept: application/yaml`). Values of Secrets are replaced by `<hidden>` and can be revealed one at a time.',
  })
  @ApiResourceObject()
  @ReturnsObject()
  @Fails(...OBJECT_FAILURES)
  async read(
    @Param('name') name: string,
    @Param() path: ObjectParameters,
    @Query() { runtime, namespace }: NamespaceQueryDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | ResourceObjectDto> {
    const { api } = await this.resources.open(clusterName(name), runtime);
    const found = await this.objects.find(api, typeName(path), path.object, namespace);
    response.vary('accept');
    if (request.accepts(['application/json', 'application/yaml']) !== 'application/yaml') {
      return await this.objects.present(api, found);
    }
    response.type('application/yaml');
    return await yaml.manifestWithoutSecrets(found.object);
  }

  @Get('events')
  @ApiOperation({
    summary: 'List events of an object',
    description:
      'Newest first, even if the object has been deleted. Without those of a deleted object of the same name.',
  })
  @ApiResourceObject()
  @ReturnsJson({ $ref: getSchemaPath(ResourceTableDto) }, ResourceTableDto)
  @Fails(...OBJECT_FAILURES, 'page_expired')
  async events(
    @Param('name') name: string,
    @Param() path: ObjectParameters,
    @Query() { runtime, namespace }: NamespaceQueryDto,
  ): Promise<string> {
    const cluster = await this.resources.open(clusterName(name), runtime);
    return JSON.stringify(await this.objects.events(cluster, typeName(path), path.object, namespace));
  }
}

function ReturnsObject(): MethodDecorator {
  return applyDecorators(
    SerializeOptions({ type: ResourceObjectDto, excludeExtraneousValues: true }),
    ApiExtraModels(ResourceObjectDto),
    ApiResponse({
      status: 200,
      description: 'OK',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(ResourceObjectDto) } },
        'application/yaml': { schema: { type: 'string' }, example: 'apiVersion: v1\nkind: ConfigMap\n…' },
      },
    }),
  );
}
