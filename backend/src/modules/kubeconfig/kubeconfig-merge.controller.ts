import { Body, Delete, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation } from '@nestjs/swagger';
import { Returns, ApiClusterName, clusterName, Fails, RuntimeQueryDto } from '../../core/api/index.js';
import { GuardedController, KindClustersOnly, LoopbackGuard } from '../../core/security/index.js';
import { KubeconfigMergeService } from './kubeconfig-merge.service.js';
import { KubeconfigMergeDto, MergeKubeconfigDto } from './kubeconfig.dto.js';
const EXAMPLES = {
  'keep the current context': { value: {} },
  'set the current context': { value: { set_current: true } },
};

@UseGuards(LoopbackGuard)
@ApiClusterName()
@KindClustersOnly()
@GuardedController('clusters', 'clusters')
export class KubeconfigMergeController {
  constructor(private readonly merges: KubeconfigMergeService) {}

  @Get(':name/kubeconfig/merge')
  @ApiOperation({
    summary: 'Get the entry of a cluster in your kubeconfig',
    description:
      'The kubeconfig of the user who runs Slipway: `KUBECONFIG`, or `~/.kube/config`. The response has no credentials.',
  })
  @Returns(KubeconfigMergeDto)
  state(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<KubeconfigMergeDto> {
    return this.merges.state(clusterName(name), runtime);
  }

  @Post(':name/kubeconfig/merge')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Add a cluster to your kubeconfig',
    description:
      'Adds or updates the context `kind-<name>`. Keeps everything else in the file, writes a backup, and respects the lock of kubectl. Slipway removes the entry when you delete the cluster.',
  })
  @ApiBody({ type: MergeKubeconfigDto, examples: EXAMPLES })
  @Returns(KubeconfigMergeDto)
  @Fails(
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
  ): Promise<KubeconfigMergeDto> {
    return this.merges.add(clusterName(name), set_current, runtime);
  }

  @Delete(':name/kubeconfig/merge')
  @ApiOperation({
    summary: 'Remove a cluster from your kubeconfig',
    description: 'Unsets the current context if it is that of the cluster. Succeeds without an entry, too.',
  })
  @Returns(KubeconfigMergeDto)
  @Fails('kubeconfig_taken', 'kubeconfig_locked', 'kubeconfig_unusable', 'kubeconfig_not_written')
  remove(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<KubeconfigMergeDto> {
    return this.merges.remove(clusterName(name), runtime);
  }
}
