import { Body, Get, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation } from '@nestjs/swagger';
import { Returns, Fails, RuntimeQueryDto } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { StartsJob, type Job } from '../jobs/index.js';
import { DiskUsageService } from './prune/disk-usage.service.js';
import { EngineImagesService } from './common/engine-images.service.js';
import { EngineImageDto } from './common/image.dto.js';
import { PruneService } from './prune/prune.service.js';
import { DiskUsageDto, PruneDto } from './common/usage.dto.js';

@GuardedController('images', 'images')
export class ImagesController {
  constructor(
    private readonly images: EngineImagesService,
    private readonly usage: DiskUsageService,
    private readonly prunes: PruneService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the images of an engine',
    description: 'Newest first. Defaults to the active engine.',
  })
  @Returns(EngineImageDto, { list: true })
  @Fails('runtime_unavailable')
  list(@Query() { runtime }: RuntimeQueryDto): Promise<EngineImageDto[]> {
    return this.images.list(runtime);
  }

  @Get('usage')
  @ApiOperation({
    summary: 'Get the disk usage of clusters',
    description:
      'Node images and volumes, the clusters that use them, and the disk space that a prune would free.',
  })
  @Returns(DiskUsageDto, { list: true })
  readUsage(): Promise<DiskUsageDto[]> {
    return this.usage.read();
  }

  @Post('prune')
  @ApiOperation({
    summary: 'Remove unused node images and volumes',
    description:
      'Each is checked again before its removal. Images and volumes of any cluster, even a stopped or saved one, are skipped, and so are those that kind did not create.',
  })
  @ApiBody({
    type: PruneDto,
    examples: { 'one image': { value: { runtime: 'docker', images: [`sha256:${'0'.repeat(64)}`] } } },
  })
  @StartsJob()
  @Fails('cluster_busy', 'runtime_unavailable')
  prune(@Body() request: PruneDto): Promise<Job> {
    return this.prunes.start(request);
  }
}
