import { Body, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation } from '@nestjs/swagger';
import { clusterName, Fails, Returns, RuntimeQueryDto } from '../../../core/api/index.js';
import { GuardedController, RouteScope } from '../../../core/security/index.js';
import { ApiResourceType, type TypeParameters } from '../../resources/index.js';
import { CHANGE_FAILURES } from '../change/change-failures.js';
import { EffectDto, EffectsDto } from './effects.dto.js';
import { EffectsService } from './effects.service.js';

const examples = {
  restart: { value: { action: 'restart', objects: [{ namespace: 'shop', name: 'web' }] } },
  scale: { value: { action: 'scale', replicas: 3, objects: [{ namespace: 'shop', name: 'web' }] } },
};

@GuardedController('resources', 'clusters/:name/resources/:group/:version/:plural/effects')
export class EffectsController {
  constructor(private readonly effects: EffectsService) {}

  @Post()
  @HttpCode(200)
  @RouteScope('read')
  @ApiOperation({
    summary: 'Describe what a change does to several objects',
    description:
      'Returns the effect of a restart, a scale or a deletion for each object of one kind, in the order of the request. Changes nothing. Make the change with the routes of each object.',
  })
  @ApiResourceType()
  @ApiBody({ type: EffectsDto, examples })
  @Returns(EffectDto, { list: true })
  @Fails(...CHANGE_FAILURES)
  find(
    @Param() { name, ...parameters }: TypeParameters & { name: string },
    @Query() { runtime }: RuntimeQueryDto,
    @Body() request: EffectsDto,
  ): Promise<EffectDto[]> {
    return this.effects.find(clusterName(name), runtime, parameters, request);
  }
}
