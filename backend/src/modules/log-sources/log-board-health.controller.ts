import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Returns } from '../../core/api/index.js';
import { Public } from '../../core/security/index.js';
import { PublicHealthDto } from '../health/index.js';
import { LogStoreAccess } from './log-store-access.js';

@ApiTags('health')
@Controller('api/health')
export class LogBoardHealthController {
  constructor(private readonly access: LogStoreAccess) {}

  @Get()
  @Public('health checks of containers and proxies have no session')
  @ApiOperation({
    summary: 'Get the health of the log board without details',
    description: 'Requires no sign-in. Returns 200 also when degraded. `GET /api/log-store` has the reason.',
  })
  @Returns(PublicHealthDto)
  read(): PublicHealthDto {
    return { status: this.access.status().state === 'ok' ? 'ok' : 'degraded' };
  }
}
