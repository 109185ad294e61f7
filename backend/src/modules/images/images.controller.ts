import { Body, Controller, Get, HttpCode, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Returns, Fails, RuntimeQueryDto } from '../../core/api/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { accepted, JobReferenceDto } from '../jobs/index.js';
import { DiskUsageService } from './disk-usage.service.js';
import { EngineImagesService } from './engine-images.service.js';
import { EngineImageDto } from './image.dto.js';
import { PruneService } from './prune.service.js';
import { DiskUsageDto, PruneDto } from './usage.dto.js';

@ApiTags('images')
@UseGuards(AccessGuard)
@Controller('images')
export class ImagesController {
  constructor(
    private readonly images: EngineImagesService,
    private readonly usage: DiskUsageService,
    private readonly prunes: PruneService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Images of an engine',
    description: 'Newest first; of the active engine where none is named.',
  })
  @Returns(EngineImageDto, { list: true })
  @Fails('runtime_unavailable')
  list(@Query() { runtime }: RuntimeQueryDto): Promise<EngineImageDto[]> {
    return this.images.list(runtime);
  }

  @Get('usage')
  @ApiOperation({
    summary: 'What clusters take on the disks of the engines',
    description: 'Node images and the volumes of nodes, who needs them, and what pruning would free.',
  })
  @Returns(DiskUsageDto, { list: true })
  @Fails()
  readUsage(): Promise<DiskUsageDto[]> {
    return this.usage.read();
  }

  @Post('prune')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Remove node images and volumes that no cluster needs',
    description:
      'Those that are named, each looked at once more at the time: what a cluster of any engine needs, stopped or only saved, stays, and so does everything that is not kind’s.',
  })
  @ApiBody({
    type: PruneDto,
    examples: { 'one image': { value: { runtime: 'docker', images: [`sha256:${'0'.repeat(64)}`] } } },
  })
  @Returns(JobReferenceDto, { status: 202 })
  @Fails('invalid_input', 'cluster_busy', 'runtime_unavailable')
  async prune(
    @Body() request: PruneDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JobReferenceDto> {
    return accepted(await this.prunes.begin(request), response);
  }
}
