import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Returns } from '../../core/api/index.js';
import { Public } from '../../core/security/index.js';
import { HealthService } from './health.service.js';
import { PublicHealthDto } from './public-health.dto.js';

@ApiTags('health')
@Controller('health/status')
export class PublicHealthController {
  constructor(private readonly health: HealthService) {}

  @Get()
  @Public('health checks of containers and proxies have no session')
  @ApiOperation({
    summary: 'Get the health of the dashboard without details',
    description: 'Requires no sign-in. Returns 200 also when degraded.',
  })
  @Returns(PublicHealthDto)
  async read(): Promise<PublicHealthDto> {
    const { status } = await this.health.read();
    return { status };
  }
}
