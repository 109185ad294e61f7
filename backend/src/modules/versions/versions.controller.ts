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
    summary: 'List node image tags',
    description:
      'Returns the known tags immediately. Slipway queries the registry in the background, at most once an hour; later responses have its tags.',
  })
  @Returns(VersionsDto)
  @Fails()
  read(): Promise<VersionsDto> {
    return this.versions.read();
  }
}
