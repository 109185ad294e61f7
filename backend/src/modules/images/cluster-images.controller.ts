import { Body, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation } from '@nestjs/swagger';
import type { Request } from 'express';
import { Returns, Fails, ApiClusterName, clusterName, RuntimeQueryDto } from '../../core/api/index.js';
import { DomainError } from '../../core/errors/index.js';
import { GuardedController, KindClustersOnly } from '../../core/security/index.js';
import { StartsJob, type Job } from '../jobs/index.js';
import { ClusterImagesService } from './cluster-images.service.js';
import { ClusterImagesDto, LoadImagesDto } from './common/image.dto.js';

@ApiClusterName()
@KindClustersOnly()
@GuardedController('images', 'clusters/:name/images')
export class ClusterImagesController {
  constructor(private readonly images: ClusterImagesService) {}

  @Get()
  @ApiOperation({
    summary: 'List the images in the nodes of a cluster',
    description: 'A node that is not running or unavailable has a reason instead.',
  })
  @Returns(ClusterImagesDto)
  @Fails('runtime_unavailable')
  read(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<ClusterImagesDto> {
    return this.images.read(clusterName(name), runtime);
  }

  @Post('load')
  @ApiOperation({
    summary: 'Load images of the engine into nodes',
    description:
      'Saves each image, loads it into every node that lacks it, and verifies that the node lists it. The job reports failed nodes; the others keep the image.',
  })
  @ApiBody({
    type: LoadImagesDto,
    examples: {
      'into all nodes': { value: { images: ['shop/web:1.4.0'] } },
      'into one node': { value: { images: ['shop/web:1.4.0', 'shop/api:dev'], nodes: ['staging-worker'] } },
    },
  })
  @StartsJob()
  @Fails('cluster_busy', 'cluster_state', 'runtime_unavailable')
  load(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Body() request: LoadImagesDto,
  ): Promise<Job> {
    return this.images.load(clusterName(name), runtime, request);
  }

  @Post('upload')
  @ApiOperation({
    summary: 'Load an image archive into the nodes',
    description:
      'An archive from `docker save` or `podman save`, in Docker or OCI format, optionally compressed with gzip. Slipway stores it until the job has ended, so it must fit on the disk of the data folder.',
  })
  @ApiConsumes('application/x-tar', 'application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @StartsJob()
  @Fails(
    'archive_refused',
    'unsupported_media_type',
    'cluster_busy',
    'cluster_state',
    'runtime_unavailable',
    'storage_unavailable',
  )
  async upload(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Req() request: Request,
  ): Promise<Job> {
    if (request.is(['application/x-tar', 'application/octet-stream']) === false) {
      throw new DomainError(
        'unsupported_media_type',
        'Send the archive with content type application/x-tar.',
      );
    }
    const header = request.headers['content-length'];
    const length = header === undefined ? undefined : Number(header);
    return await this.images.upload(clusterName(name), runtime, request, length);
  }
}
