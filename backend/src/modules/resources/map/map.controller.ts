import { Get, Param, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { clusterName, Fails, Returns } from '../../../core/api/index.js';
import { GuardedController } from '../../../core/security/index.js';
import { OBJECT_FAILURES } from '../common/open-failures.js';
import {
  ApiResourceObject,
  NamespaceQueryDto,
  type ObjectParameters,
} from '../common/resource-parameters.js';
import { ResourceMapDto } from './map.dto.js';
import { MapService } from './map.service.js';

@GuardedController('resources', 'clusters/:name/resources/:group/:version/:plural/:object/map')
export class MapController {
  constructor(private readonly maps: MapService) {}

  @Get()
  @ApiOperation({
    summary: 'Get the map of a workload',
    description:
      'What leads to a Deployment, StatefulSet or DaemonSet and what it runs: Ingresses, Services, ReplicaSets and Pods, with ports, health, and why an edge leads nowhere.',
  })
  @ApiResourceObject()
  @Returns(ResourceMapDto)
  @Fails(...OBJECT_FAILURES, 'resource_refused')
  async read(
    @Param('name') name: string,
    @Param() path: ObjectParameters,
    @Query() { runtime, namespace }: NamespaceQueryDto,
  ): Promise<ResourceMapDto> {
    return await this.maps.read({ name: clusterName(name), runtime }, path, namespace);
  }
}
