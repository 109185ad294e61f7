import { Controller, Get, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Returns, Fails } from '../../core/api/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { VersionsDto } from './version.dto.js';
import { VersionsService } from './versions.service.js';

@ApiTags('versions')
@UseGuards(AccessGuard)
@Controller('versions')
export class VersionsController {
  constructor(private readonly versions: VersionsService) {}

  @Get()
  @ApiOperation({
    summary: 'Node image tags to choose from',
    description:
      'Answers at once with what is known. The registry is asked beside it, once an hour at most; its tags come with the next answer.',
  })
  @Returns(VersionsDto)
  @Fails()
  read(): Promise<VersionsDto> {
    return this.versions.read();
  }
}
