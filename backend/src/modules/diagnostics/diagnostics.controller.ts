import { Controller, Get, StreamableFile, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Returns, Fails } from '../../core/api/index.js';
import { AccessGuard, RouteScope } from '../../core/security/index.js';
import { JournalService } from '../journal/index.js';
import { SupportBundleService } from './bundle/support-bundle.service.js';
import { DiagnosticsDto } from './diagnostics.dto.js';
import { DiagnosticsService } from './diagnostics.service.js';

@ApiTags('diagnostics')
@UseGuards(AccessGuard)
@Controller('diagnostics')
export class DiagnosticsController {
  constructor(
    private readonly diagnostics: DiagnosticsService,
    private readonly bundle: SupportBundleService,
    private readonly journal: JournalService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Whether this machine can make clusters',
    description: 'Engines tried and why not, programs, limits; each with its fix.',
  })
  @Returns(DiagnosticsDto)
  @Fails()
  read(): Promise<DiagnosticsDto> {
    return this.diagnostics.read();
  }

  @Get('bundle')
  @RouteScope('full')
  @ApiOperation({
    summary: 'All that somebody who is to help would ask for',
    description:
      'A gzipped tar: the diagnostics, versions, configuration, clusters with their configs and provision logs, recent jobs with their logs, the journal and the end of the server’s own log. Secrets, kubeconfigs and the home directory are left out.',
  })
  @ApiProduces('application/gzip')
  @ApiResponse({
    status: 200,
    description: 'Archive',
    content: { 'application/gzip': { schema: { type: 'string', format: 'binary' } } },
  })
  @Fails()
  async supportBundle(): Promise<StreamableFile> {
    const { name, content } = await this.bundle.collect();
    this.journal.record({
      kind: 'support-bundle',
      outcome: 'succeeded',
      message: 'The support bundle was downloaded.',
    });
    return new StreamableFile(content, {
      type: 'application/gzip',
      disposition: `attachment; filename="${name}"`,
    });
  }
}
