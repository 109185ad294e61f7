import { Get, Req } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import type { Request } from 'express';
import { Returns } from '../../core/api/index.js';
import { Secrets } from '../../core/secrets/index.js';
import { GuardedController } from '../../core/security/index.js';
import { ExemptionDto } from './auth.dto.js';
import { Exemption } from './exemption.js';

@GuardedController('auth', 'api/auth/exemption')
export class ExemptionController {
  constructor(
    private readonly exemption: Exemption,
    private readonly secrets: Secrets,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get whether this client needs a password',
    description: 'Without regard to a token that the request has.',
  })
  @Returns(ExemptionDto)
  read(@Req() request: Request): ExemptionDto {
    return {
      exempt: this.exemption.userOf(request) !== undefined,
      reason: this.exemption.explain(request),
      viewer_password: this.secrets.viewer.hash !== undefined,
    };
  }
}
