import { Body, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation } from '@nestjs/swagger';
import { Fails, Returns } from '../../../core/api/index.js';
import { DryRunScope, GuardedController } from '../../../core/security/index.js';
import { ApiResourceObject, NamespaceQueryDto } from '../../resources/index.js';
import { CHANGE_FAILURES } from '../change/change-failures.js';
import { addressOf, type AddressParameters } from '../change/change-target.js';
import { FixedDto, FixRequestDto } from './fix.dto.js';
import { FixService } from './fix.service.js';

const examples = {
  preview: {
    summary: 'What a higher memory limit changes',
    value: { fix: 'raise_memory_limit', parameters: { memory: '256Mi' }, dry_run: true },
  },
  defaults: { summary: 'With the proposed values', value: { fix: 'raise_memory_limit' } },
};

@GuardedController('resources', 'clusters/:name/resources/:group/:version/:plural/:object/fix')
export class FixController {
  constructor(private readonly fixes: FixService) {}

  @Post()
  @HttpCode(200)
  @DryRunScope('body')
  @ApiOperation({
    summary: 'Remove a cause of an unhealthy object',
    description:
      'Applies one of the `fixes` that the diagnosis of the object offers now, after a dry run by the cluster. It may change another object, such as the Deployment of a Pod. `dry_run` returns only the diff. If the diagnosis no longer offers the fix, the request fails with `resource_conflict`.',
  })
  @ApiResourceObject()
  @ApiBody({ type: FixRequestDto, examples })
  @Returns(FixedDto)
  @Fails(...CHANGE_FAILURES, 'cluster_busy')
  apply(
    @Param() parameters: AddressParameters,
    @Query() query: NamespaceQueryDto,
    @Body() request: FixRequestDto,
  ): Promise<FixedDto> {
    return this.fixes.apply(addressOf(parameters, query), request);
  }
}
