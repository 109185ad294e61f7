import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation } from '@nestjs/swagger';
import { ApiClusterName, clusterName, Fails, Returns } from '../../core/api/index.js';
import {
  EXTERNAL_RUNTIME,
  GuardedController,
  NeedsRecentPassword,
  RouteScope,
} from '../../core/security/index.js';
import { ClusterDto, ClustersService } from '../clusters/index.js';
import { ContextsService } from './contexts.service.js';
import {
  AddExternalClusterDto,
  ChangeExternalClusterDto,
  ChosenScopeDto,
  ContextsDto,
  ExternalClusterDetailsDto,
  HistoryEstimateDto,
  PluginConsentDto,
  RemovedExternalClusterDto,
  RemoveExternalClusterDto,
} from './external-clusters.dto.js';
import { ExternalClustersService } from './external-clusters.service.js';

const addExamples = {
  'a context of a file': { value: { context: 'gke_shop_europe-west3_prod', name: 'prod', color: 'red' } },
  'a pasted kubeconfig': { value: { kubeconfig: 'apiVersion: v1\nkind: Config\n…', name: 'staging' } },
};

@GuardedController('external clusters', 'external-clusters')
export class ExternalClustersController {
  constructor(
    private readonly external: ExternalClustersService,
    private readonly contexts: ContextsService,
    private readonly clusters: ClustersService,
  ) {}

  @Get('contexts')
  @ApiOperation({
    summary: 'List the contexts of the kubeconfigs',
    description:
      'Lists the contexts of the files of `KUBECONFIG`, or of `~/.kube/config`. Contacts no server, and never changes the files.',
  })
  @Returns(ContextsDto)
  list(): Promise<ContextsDto> {
    return this.contexts.list();
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({
    summary: 'Add a cluster of a kubeconfig',
    description:
      'Stores which file and context, or a pasted kubeconfig encrypted, and connects to the server once. A context that signs in with a program needs consent first. The cluster is then among the clusters, with the runtime `kubeconfig`. Changes in it are off.',
  })
  @ApiBody({ type: AddExternalClusterDto, examples: addExamples })
  @Returns(ClusterDto, { status: 201 })
  @Fails(
    'context_not_found',
    'kubeconfig_unusable',
    'kubeconfig_taken',
    'cluster_exists',
    'storage_unavailable',
  )
  add(@Body() request: AddExternalClusterDto): Promise<ClusterDto> {
    return this.external.add(request);
  }

  @Get(':name')
  @RouteScope('full')
  @ApiOperation({
    summary: 'Get an external cluster with its plugin',
    description: 'Contains the command line and variables of the program with which the context signs in.',
  })
  @ApiClusterName()
  @Returns(ExternalClusterDetailsDto)
  @Fails('cluster_not_found')
  async one(@Param('name') name: string): Promise<ExternalClusterDetailsDto> {
    const plugin = await this.external.plugin(clusterName(name));
    return { cluster: await this.clusters.get(name, EXTERNAL_RUNTIME), plugin };
  }

  @Patch(':name')
  @ApiOperation({
    summary: 'Change an external cluster',
    description: 'Changes its color, note and typed namespaces, or whether changes are allowed in it.',
  })
  @ApiClusterName()
  @ApiBody({ type: ChangeExternalClusterDto, examples: { note: { value: { note: 'Ask before changes.' } } } })
  @Returns(ClusterDto)
  @Fails('cluster_not_found', 'precondition_failed', 'storage_unavailable')
  change(@Param('name') name: string, @Body() request: ChangeExternalClusterDto): Promise<ClusterDto> {
    return this.external.change(clusterName(name), request);
  }

  @Post(':name/consent')
  @NeedsRecentPassword()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Allow the plugin of an external cluster',
    description:
      'Allows exactly the command that GET shows. Another command, variable or program needs consent again.',
  })
  @ApiClusterName()
  @ApiBody({ type: PluginConsentDto, examples: { plugin: { value: { fingerprint: '9d1c' } } } })
  @Returns(ClusterDto)
  @Fails(
    'cluster_not_found',
    'kubeconfig_unusable',
    'precondition_failed',
    'reauthentication_required',
    'storage_unavailable',
  )
  consent(@Param('name') name: string, @Body() { fingerprint }: PluginConsentDto): Promise<ClusterDto> {
    return this.external.consent(clusterName(name), fingerprint);
  }

  @Post(':name/check')
  @HttpCode(200)
  @RouteScope('read')
  @ApiOperation({
    summary: 'Check an external cluster now',
    description: 'Connects to its server, as Slipway does every 30 s.',
  })
  @ApiClusterName()
  @Returns(ClusterDto)
  @Fails('cluster_not_found')
  check(@Param('name') name: string): Promise<ClusterDto> {
    return this.external.checked(clusterName(name));
  }

  @Get(':name/history-estimate')
  @ApiOperation({
    summary: 'Estimate the log lines of Pods',
    description: 'Reads the last minute of up to 20 containers, before their lines are stored.',
  })
  @ApiClusterName()
  @Returns(HistoryEstimateDto)
  @Fails('cluster_not_found', 'cluster_unreachable', 'resource_forbidden', 'resource_not_found')
  estimate(
    @Param('name') name: string,
    @Query() { namespace, selector }: ChosenScopeDto,
  ): Promise<HistoryEstimateDto> {
    return this.external.estimate(clusterName(name), { namespace, selector: selector ?? null });
  }

  @Delete(':name')
  @ApiOperation({
    summary: 'Remove an external cluster',
    description:
      'Removes it from Slipway, with its connections and credentials. The cluster and the kubeconfig stay.',
  })
  @ApiClusterName()
  @Returns(RemovedExternalClusterDto)
  @Fails('cluster_not_found', 'storage_unavailable')
  async remove(
    @Param('name') name: string,
    @Query() { logs = false }: RemoveExternalClusterDto,
  ): Promise<RemovedExternalClusterDto> {
    await this.external.remove(clusterName(name), logs);
    return { name, removed: true };
  }
}
