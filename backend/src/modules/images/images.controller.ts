import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answers, Fails } from '../../core/api/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { RuntimeQueryDto } from '../clusters/index.js';
import { EngineImagesService } from './engine-images.service.js';
import { EngineImageDto } from './image.dto.js';

@ApiTags('images')
@UseGuards(AccessGuard)
@Controller('images')
export class ImagesController {
  constructor(private readonly images: EngineImagesService) {}

  @Get()
  @ApiOperation({
    summary: 'Images of an engine',
    description: 'Newest first; of the active engine where none is named.',
  })
  @Answers(EngineImageDto, { list: true })
  @Fails('runtime_unavailable')
  list(@Query() { runtime }: RuntimeQueryDto): Promise<EngineImageDto[]> {
    return this.images.list(runtime);
  }
}
