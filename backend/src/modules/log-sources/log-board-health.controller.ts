import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Fails, Returns } from '../../core/api/index.js';
import { readProject } from '../../core/config/index.js';
import { Public } from '../../core/security/index.js';
import { HEALTH_IS_PUBLIC, PublicHealthDto, Readiness } from '../health/index.js';
import { LogStoreAccess } from './log-store-access.js';

@ApiTags('health')
@Controller('api/health')
export class LogBoardHealthController {
  constructor(
    private readonly access: LogStoreAccess,
    private readonly readiness: Readiness,
  ) {}

  @Get()
  @Public(HEALTH_IS_PUBLIC)
  @ApiOperation({
    summary: 'Get the health of the log board',
    description:
      'Requires no sign-in. Returns 503 only while Slipway itself cannot serve: while it starts or stops, or if it cannot read its database. `degraded` if the log store does not work; `GET /api/log-store` has the reason.',
  })
  @Fails('starting', 'shutting_down', 'storage_unavailable')
  @Returns(PublicHealthDto)
  read(): PublicHealthDto {
    this.readiness.require();
    const { state } = this.access.status();
    return { status: state === 'ok' ? 'ok' : 'degraded', version: readProject().version };
  }
}
