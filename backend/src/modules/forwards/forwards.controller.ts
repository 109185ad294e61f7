import { Body, Delete, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiClusterName, clusterName, Fails, Returns, RuntimeQueryDto } from '../../core/api/index.js';
import { GuardedController, KeepsCluster, RouteScope } from '../../core/security/index.js';
import { OPEN_FAILURES } from '../resources/index.js';
import { ForwardDto, StartForwardDto } from './forwards.dto.js';
import { ForwardsService } from './forwards.service.js';

const startExamples = {
  Service: { value: { plural: 'services', namespace: 'shop', object: 'web', port: 80 } },
  'an ingress controller, with the host of an Ingress': {
    value: {
      plural: 'services',
      namespace: 'ingress-nginx',
      object: 'ingress-nginx-controller',
      port: 80,
      hosts: ['shop.example.test'],
    },
  },
  'a database at its usual port': {
    value: { plural: 'pods', namespace: 'shop', object: 'db-0', port: 'postgres', local_port: 5432 },
  },
};

@ApiClusterName()
@RouteScope('full')
@KeepsCluster()
@GuardedController('forwards', 'clusters/:name/forwards')
export class ForwardsController {
  constructor(private readonly forwards: ForwardsService) {}

  @Get()
  @ApiOperation({ summary: 'List the port-forwards of the cluster' })
  @Returns(ForwardDto, { list: true })
  list(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<ForwardDto[]> {
    return this.forwards.list(clusterName(name), runtime);
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({
    summary: 'Start a port-forward',
    description:
      'Forwards a port of 127.0.0.1 to a TCP port of a Pod, or of a ready Pod of a Service or workload, which is chosen for each connection. It lasts until it is stopped or the cluster is deleted, also over restarts of Slipway. If the port is already forwarded, the port-forward is returned with a new link.',
  })
  @ApiBody({ type: StartForwardDto, examples: startExamples })
  @Returns(ForwardDto, { status: 201 })
  @Fails(...OPEN_FAILURES, 'resource_not_found', 'port_taken')
  start(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Body() request: StartForwardDto,
    @Req() { headers }: Request,
  ): Promise<ForwardDto> {
    return this.forwards.start({ name: clusterName(name), runtime }, request, headers['user-agent']);
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Stop a port-forward',
    description: 'Ends its connections and forgets it. Returns the remaining port-forwards.',
  })
  @ApiParam({ name: 'id', example: '5f0c2d1e9a7b' })
  @Returns(ForwardDto, { list: true })
  @Fails('forward_not_found')
  async stop(
    @Param('name') name: string,
    @Param('id') id: string,
    @Query() query: RuntimeQueryDto,
  ): Promise<ForwardDto[]> {
    await this.forwards.stop(clusterName(name), query.runtime, id);
    return await this.list(name, query);
  }
}
