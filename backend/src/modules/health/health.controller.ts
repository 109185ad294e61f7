import { Controller, Get, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Returns, Fails } from '../../core/api/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { HealthDto } from './health.dto.js';
import { HealthService } from './health.service.js';

@ApiTags('health')
@UseGuards(AccessGuard)
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get()
  @ApiOperation({
    summary: 'Get the health of Slipway',
    description: 'Returns 200 also when degraded. The checks have the reasons.',
  })
  @Returns(HealthDto)
  @Fails()
  read(): Promise<HealthDto> {
    return this.health.read();
  }
}
