import { Body, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam } from '@nestjs/swagger';
import { Returns, Fails, ApiClusterName, clusterName } from '../../../core/api/index.js';
import { GuardedController, NeedsRecentPassword } from '../../../core/security/index.js';
import { ClusterResources } from '../common/cluster-resources.js';
import { OBJECT_FAILURES } from '../common/open-failures.js';
import { NamespaceQueryDto } from '../common/resource-parameters.js';
import { RevealedValueDto, RevealKeyDto } from './secret.dto.js';
import { SecretsService } from './secrets.service.js';

@GuardedController('resources', 'clusters/:name/resources/core/v1/secrets/:object')
export class SecretsController {
  constructor(
    private readonly resources: ClusterResources,
    private readonly secrets: SecretsService,
  ) {}

  @Post('reveal')
  @NeedsRecentPassword()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Reveal one value of a Secret',
    description: 'The journal records which value was revealed, but not the value.',
  })
  @ApiClusterName()
  @ApiParam({ name: 'object', description: 'Name of the Secret', example: 'db' })
  @ApiBody({ type: RevealKeyDto, examples: { key: { summary: 'One key', value: { key: 'password' } } } })
  @Returns(RevealedValueDto)
  @Fails(...OBJECT_FAILURES, 'reauthentication_required', 'storage_unavailable')
  async reveal(
    @Param('name') name: string,
    @Param('object') object: string,
    @Query() { runtime, namespace }: NamespaceQueryDto,
    @Body() { key }: RevealKeyDto,
  ): Promise<RevealedValueDto> {
    const cluster = await this.resources.open(clusterName(name), runtime);
    return await this.secrets.reveal(cluster, { object, namespace, key });
  }
}
