import { Body, Delete, Get, HttpCode, Param, Post, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiProduces, ApiResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { Returns, ApiClusterName, clusterName, Fails, RuntimeQueryDto } from '../../core/api/index.js';
import {
  acceptsHostAccess,
  GuardedController,
  KindClustersOnly,
  NeedsRecentPassword,
  RouteScope,
} from '../../core/security/index.js';
import { accepted, JobReferenceDto, StartsJob, type Job } from '../jobs/index.js';
import { NodeLogsService } from './node-logs/node-logs.service.js';
import { CreateClusterDto } from './creation/create-cluster.dto.js';
import { createClusterExamples } from './creation/cluster-examples.js';
import { CreationService } from './creation/creation.service.js';
import { DeleteQueryDto } from './deletion/delete-query.dto.js';
import { DeletionService } from './deletion/deletion.service.js';
import { CreationCheckDto, ClusterDto, DeletionDto, ProvisionLogDto } from './inventory/cluster.dto.js';
import { ClustersService } from './inventory/clusters.service.js';

@GuardedController('clusters', 'clusters')
export class ClustersController {
  constructor(
    private readonly clusters: ClustersService,
    private readonly creations: CreationService,
    private readonly deletions: DeletionService,
    private readonly logs: NodeLogsService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List clusters',
    description:
      'Lists the clusters of all engines, including those that kind created outside Slipway. The list is not cached. Clusters of an unavailable engine are in state `unknown`.',
  })
  @Returns(ClusterDto, { list: true })
  list(): Promise<ClusterDto[]> {
    return this.clusters.list();
  }

  @Post()
  @NeedsRecentPassword(acceptsHostAccess)
  @ApiOperation({
    summary: 'Create a cluster',
    description: 'Saves the config, and starts a job that creates the cluster from it.',
  })
  @ApiBody({ type: CreateClusterDto, examples: createClusterExamples })
  @StartsJob()
  @Fails(
    'cluster_exists',
    'cluster_busy',
    'config_refused',
    'confirmation_required',
    'reauthentication_required',
    'runtime_unavailable',
    'provisioner_unavailable',
    'storage_unavailable',
  )
  create(@Body() request: CreateClusterDto): Promise<Job> {
    return this.creations.create(request);
  }

  @Post('check')
  @HttpCode(200)
  @RouteScope('read')
  @ApiOperation({
    summary: 'Check a creation',
    description:
      'Changes nothing. Takes the body of POST /clusters and returns all problems that prevent the creation, and the config that it would use.',
  })
  @ApiBody({ type: CreateClusterDto, examples: createClusterExamples })
  @Returns(CreationCheckDto)
  check(@Body() request: CreateClusterDto): Promise<CreationCheckDto> {
    return this.creations.check(request);
  }

  @Get(':name')
  @ApiOperation({ summary: 'Get a cluster' })
  @ApiClusterName()
  @Returns(ClusterDto)
  one(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<ClusterDto> {
    return this.clusters.get(clusterName(name), runtime);
  }

  @KindClustersOnly()
  @Delete(':name')
  @ApiOperation({
    summary: 'Delete a cluster',
    description:
      'Deletes its containers, volumes and saved files. Waits up to 30 s for the job, then responds 202 with the job.',
  })
  @ApiClusterName()
  @Returns(DeletionDto)
  @ApiResponse({
    status: 202,
    type: JobReferenceDto,
    description: 'Still running after 30 s, or with `wait=false`',
  })
  @Fails('cluster_busy', 'cluster_not_deleted', 'runtime_unavailable')
  async delete(
    @Param('name') name: string,
    @Query() query: DeleteQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeletionDto | JobReferenceDto> {
    const { job, removed } = await this.deletions.delete(clusterName(name), query);
    if (removed) return { cluster: job.cluster, deleted: true, removed, job_id: job.id };
    return Object.assign(new JobReferenceDto(), accepted(job, response.status(202)));
  }

  @KindClustersOnly()
  @Get(':name/provision-log')
  @ApiOperation({
    summary: 'Get the provision log',
    description: 'The log of the last creation (`provision_log.json`), also while it runs.',
  })
  @ApiClusterName()
  @Returns(ProvisionLogDto)
  @Fails('provision_log_not_found')
  provisionLog(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<ProvisionLogDto> {
    return this.creations.provisionLog(clusterName(name), runtime);
  }

  @KindClustersOnly()
  @Get(':name/node-logs')
  @ApiOperation({
    summary: 'Download the node logs',
    description:
      'Logs of the nodes and their Pods as a gzipped tar file with a folder for each node, also for the nodes of a failed creation. `not-collected.txt` lists what could not be collected.',
  })
  @ApiClusterName()
  @ApiProduces('application/gzip')
  @ApiResponse({
    status: 200,
    description: 'Archive',
    content: { 'application/gzip': { schema: { type: 'string', format: 'binary' } } },
  })
  @Fails('cluster_busy', 'logs_not_found', 'runtime_unavailable')
  async nodeLogs(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
  ): Promise<StreamableFile> {
    const archive = await this.logs.archive(clusterName(name), runtime);
    return new StreamableFile(archive, {
      type: 'application/gzip',
      disposition: `attachment; filename="${name}-logs.tar.gz"`,
    });
  }
}
