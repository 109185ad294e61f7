import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Returns, Fails, ApiClusterName, clusterName, RuntimeQueryDto } from '../../core/api/index.js';
import { DomainError } from '../../core/errors/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { accepted, JobReferenceDto } from '../jobs/index.js';
import { ClusterImagesService } from './cluster-images.service.js';
import { ClusterImagesDto, LoadImagesDto } from './image.dto.js';

@ApiTags('images')
@UseGuards(AccessGuard)
@Controller('clusters/:name/images')
export class ClusterImagesController {
  constructor(private readonly images: ClusterImagesService) {}

  @Get()
  @ApiOperation({
    summary: 'Images in the nodes of a cluster',
    description: 'Asked of each node that runs. One that cannot be asked is named with the reason.',
  })
  @ApiClusterName()
  @Returns(ClusterImagesDto)
  @Fails('cluster_not_found', 'cluster_ambiguous', 'runtime_unavailable')
  read(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<ClusterImagesDto> {
    return this.images.read(clusterName(name), runtime);
  }

  @Post('load')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Load images of the engine into the nodes',
    description:
      'Each image is saved by the engine, handed to every node that lacks it, and looked for there afterwards. A node that does not take it is named; the others keep theirs.',
  })
  @ApiClusterName()
  @ApiBody({
    type: LoadImagesDto,
    examples: {
      'into all nodes': { value: { images: ['shop/web:1.4.0'] } },
      'into one node': { value: { images: ['shop/web:1.4.0', 'shop/api:dev'], nodes: ['staging-worker'] } },
    },
  })
  @Returns(JobReferenceDto, { status: 202 })
  @Fails(
    'invalid_input',
    'cluster_not_found',
    'cluster_ambiguous',
    'cluster_busy',
    'cluster_state',
    'runtime_unavailable',
  )
  async load(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Body() request: LoadImagesDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JobReferenceDto> {
    return accepted(await this.images.load(clusterName(name), runtime, request), response);
  }

  @Post('upload')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Load an image archive into the nodes',
    description:
      'What `docker save` or `podman save` writes, in Docker’s format or OCI’s, packed with gzip or not. It is kept on disk until the job has ended, and may be as large as the disk of the data folder allows.',
  })
  @ApiClusterName()
  @ApiConsumes('application/x-tar', 'application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @Returns(JobReferenceDto, { status: 202 })
  @Fails(
    'archive_refused',
    'unsupported_media_type',
    'cluster_not_found',
    'cluster_ambiguous',
    'cluster_busy',
    'cluster_state',
    'runtime_unavailable',
    'storage_unavailable',
  )
  async upload(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JobReferenceDto> {
    if (request.is(['application/x-tar', 'application/octet-stream']) === false) {
      throw new DomainError('unsupported_media_type', 'Send the archive as application/x-tar.');
    }
    const announced = request.headers['content-length'];
    const length = announced === undefined ? undefined : Number(announced);
    return accepted(await this.images.upload(clusterName(name), runtime, request, length), response);
  }
}
