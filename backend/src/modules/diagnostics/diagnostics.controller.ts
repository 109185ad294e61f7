import { Controller, Get, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answers, Fails } from '../../core/api/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { DiagnosticsDto } from './diagnostics.dto.js';
import { DiagnosticsService } from './diagnostics.service.js';

@ApiTags('diagnostics')
@UseGuards(AccessGuard)
@Controller('diagnostics')
export class DiagnosticsController {
  constructor(private readonly diagnostics: DiagnosticsService) {}

  @Get()
  @ApiOperation({
    summary: 'Whether this machine can make clusters',
    description: 'Engines tried and why not, programs, limits; each with its fix.',
  })
  @Answers(DiagnosticsDto)
  @Fails()
  read(): Promise<DiagnosticsDto> {
    return this.diagnostics.read();
  }
}
