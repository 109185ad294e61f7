import { Controller, Get, Header, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Fails, Returns } from '../../core/api/index.js';
import { AccessPolicy, Public } from '../../core/security/index.js';
import { HealthDto } from './health.dto.js';
import { HealthService } from './health.service.js';
import { PublicHealthDto } from './public-health.dto.js';
import { HEALTH_IS_PUBLIC, Readiness } from './readiness.js';

@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly readiness: Readiness,
    private readonly access: AccessPolicy,
  ) {}

  @Get()
  @Public(HEALTH_IS_PUBLIC)
  @ApiOperation({
    summary: 'Get the health of Slipway',
    description:
      'Requires no sign-in. Returns 503 only while Slipway itself cannot serve: while it starts or stops, or if it cannot read its database. `uptime_seconds` and `checks` are only for clients that may use the API.',
  })
  @Fails('starting', 'shutting_down', 'storage_unavailable')
  @Returns(HealthDto)
  async read(@Req() request: Request): Promise<HealthDto> {
    this.readiness.require();
    const { status, version, ...details } = await this.health.read();
    return { status, version, ...(this.access.admitsPage(request) && details) };
  }

  @Get('status')
  @Public(HEALTH_IS_PUBLIC)
  @Header('deprecation', '@1795737600')
  @Header('sunset', 'Sun, 30 May 2027 00:00:00 GMT')
  @Header('link', '</api/v1/health>; rel="successor-version"')
  @ApiOperation({
    summary: 'Get the health of Slipway without details',
    description: 'Use `GET /api/v1/health`.',
    deprecated: true,
  })
  @Fails('starting', 'shutting_down', 'storage_unavailable')
  @Returns(PublicHealthDto)
  async readStatus(): Promise<PublicHealthDto> {
    this.readiness.require();
    return await this.health.read();
  }
}
