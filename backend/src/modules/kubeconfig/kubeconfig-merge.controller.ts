import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Returns, ApiClusterName, clusterName, Fails, RuntimeQueryDto } from '../../core/api/index.js';
import { AccessGuard, LoopbackGuard } from '../../core/security/index.js';
import { KubeconfigMergeService } from './kubeconfig-merge.service.js';
import { KubeconfigMergeDto, MergeKubeconfigDto } from './kubeconfig.dto.js';
import type { MergeState } from './user-kubeconfig.js';

const mergeExamples = {
  added: { summary: 'Put in, and the current context left as it is', value: {} },
  current: { summary: 'Made the current context too', value: { set_current: true } },
};

@ApiTags('clusters')
@UseGuards(AccessGuard, LoopbackGuard)
@Controller('clusters')
export class KubeconfigMergeController {
  constructor(private readonly merges: KubeconfigMergeService) {}

  @Get(':name/kubeconfig/merge')
  @ApiOperation({
    summary: 'How it stands in your own kubeconfig',
    description: 'That of the user who runs Slipway: `KUBECONFIG`, or `~/.kube/config`. Without credentials.',
  })
  @ApiClusterName()
  @Returns(KubeconfigMergeDto)
  @Fails('cluster_not_found', 'cluster_ambiguous')
  state(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<MergeState> {
    return this.merges.state(clusterName(name), runtime);
  }

  @Post(':name/kubeconfig/merge')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Put it into your own kubeconfig',
    description:
      'As `kind-<name>`, or renewed where it is in already. Everything else in the file stays, a backup is kept, and the lock of kubectl is respected. It is taken out when the cluster is deleted.',
  })
  @ApiClusterName()
  @ApiBody({ type: MergeKubeconfigDto, examples: mergeExamples })
  @Returns(KubeconfigMergeDto)
  @Fails(
    'invalid_input',
    'cluster_not_found',
    'cluster_ambiguous',
    'cluster_state',
    'kubeconfig_not_found',
    'kubeconfig_taken',
    'kubeconfig_locked',
    'kubeconfig_unusable',
    'kubeconfig_not_written',
    'cluster_unreachable',
    'runtime_unavailable',
  )
  add(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Body() { set_current }: MergeKubeconfigDto,
  ): Promise<MergeState> {
    return this.merges.add(clusterName(name), set_current, runtime);
  }

  @Delete(':name/kubeconfig/merge')
  @ApiOperation({
    summary: 'Take it out of your own kubeconfig',
    description: 'The current context is unset where it was this one. A cluster that is not in is no error.',
  })
  @ApiClusterName()
  @Returns(KubeconfigMergeDto)
  @Fails(
    'cluster_not_found',
    'cluster_ambiguous',
    'kubeconfig_locked',
    'kubeconfig_unusable',
    'kubeconfig_not_written',
  )
  take(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<MergeState> {
    return this.merges.take(clusterName(name), runtime);
  }
}
