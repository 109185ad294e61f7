import { Get } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Returns } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { HealthDto } from './health.dto.js';
import { HealthService } from './health.service.js';

@GuardedController('health', 'health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get()
  @ApiOperation({
    summary: 'Get the health of Slipway',
    description: 'Returns 200 also when degraded. The checks have the reasons.',
  })
  @Returns(HealthDto)
  read(): Promise<HealthDto> {
    return this.health.read();
  }
}
