import { Get } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Returns } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { VersionsDto } from './version.dto.js';
import { VersionsService } from './versions.service.js';

@GuardedController('versions', 'versions')
export class VersionsController {
  constructor(private readonly versions: VersionsService) {}

  @Get()
  @ApiOperation({
    summary: 'List node image tags',
    description:
      'Returns the known tags immediately. Slipway queries the registry in the background, at most once an hour; later responses have its tags.',
  })
  @Returns(VersionsDto)
  read(): Promise<VersionsDto> {
    return this.versions.read();
  }
}
