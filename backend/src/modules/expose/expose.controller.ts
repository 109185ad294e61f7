import { Body, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiOperation } from '@nestjs/swagger';
import type { Request } from 'express';
import { Fails, Returns } from '../../core/api/index.js';
import { DryRunScope, GuardedController } from '../../core/security/index.js';
import {
  addressOf,
  CHANGE_FAILURES,
  ChangeQueryDto,
  type AddressParameters,
} from '../resource-changes/index.js';
import { ApiResourceObject } from '../resources/index.js';
import { ExposeDto, ExposedDto } from './expose.dto.js';
import { ExposeService } from './expose.service.js';

const examples = {
  default: { summary: 'The only declared port', value: {} },
  named: {
    summary: 'A port that is not declared, which speaks HTTP',
    value: { port: 5173, protocol: 'http' },
  },
  ingress: { summary: 'With an Ingress', value: { port: 'http', ingress: true, host: 'shop.localhost' } },
};

@GuardedController('resources', 'clusters/:name/resources/:group/:version/:plural/:object/expose')
export class ExposeController {
  constructor(private readonly exposing: ExposeService) {}

  @Post()
  @HttpCode(200)
  @DryRunScope('query')
  @ApiOperation({
    summary: 'Expose a Deployment, StatefulSet, DaemonSet, ReplicaSet or Pod',
    description:
      'Creates a Service, and for HTTP an Ingress if the cluster has an ingress controller, or uses those that already lead there. Returns a link that works on this machine: through a published port of the nodes if an ingress controller listens on it, otherwise through a port-forward, which it starts. `dry_run=true` returns only what would be created.',
  })
  @ApiResourceObject()
  @ApiBody({ type: ExposeDto, examples })
  @Returns(ExposedDto)
  @Fails(...CHANGE_FAILURES)
  expose(
    @Param() parameters: AddressParameters,
    @Query() { dry_run = false, ...query }: ChangeQueryDto,
    @Body() request: ExposeDto,
    @Req() { headers }: Request,
  ): Promise<ExposedDto> {
    return this.exposing.expose(addressOf(parameters, query), request, {
      dryRun: dry_run,
      browser: headers['user-agent'],
    });
  }
}
