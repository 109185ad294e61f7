import { Get, Query, StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse } from '@nestjs/swagger';
import { Returns } from '../../core/api/index.js';
import { RouteScope, GuardedController } from '../../core/security/index.js';
import { JournalService } from '../journal/index.js';
import { BundleContentDto, BundleQueryDto } from './bundle/bundle.dto.js';
import { SupportBundleService } from './bundle/support-bundle.service.js';
import { DiagnosticsDto } from './checks/diagnostics.dto.js';
import { DiagnosticsService } from './checks/diagnostics.service.js';

@GuardedController('diagnostics', 'diagnostics')
export class DiagnosticsController {
  constructor(
    private readonly diagnostics: DiagnosticsService,
    private readonly bundle: SupportBundleService,
    private readonly journal: JournalService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Check whether the host can run clusters',
    description: 'Engines, programs and limits, each with a fix for its problem.',
  })
  @Returns(DiagnosticsDto)
  read(): Promise<DiagnosticsDto> {
    return this.diagnostics.read();
  }

  @Get('bundle/content')
  @RouteScope('full')
  @ApiOperation({
    summary: 'Show the content of a support bundle before it is saved',
    description: 'Download the bundle with shown=true to save these files.',
  })
  @Returns(BundleContentDto)
  async bundleContent(): Promise<BundleContentDto> {
    return { files: await this.bundle.show() };
  }

  @Get('bundle')
  @RouteScope('full')
  @ApiOperation({
    summary: 'Download a support bundle',
    description:
      'A .tar.gz archive with diagnostics, versions, configuration, clusters with their configs and provision logs, recent jobs with their logs, the journal, and the end of the server log. Of configs, only values that are known to be harmless are kept. Secrets, kubeconfigs and the home directory are removed.',
  })
  @ApiProduces('application/gzip')
  @ApiResponse({
    status: 200,
    description: 'Archive',
    content: { 'application/gzip': { schema: { type: 'string', format: 'binary' } } },
  })
  async supportBundle(@Query() { shown }: BundleQueryDto): Promise<StreamableFile> {
    const { name, content } = await this.bundle.save(shown === true);
    this.journal.record({
      kind: 'support-bundle',
      message: 'Downloaded the support bundle.',
    });
    return new StreamableFile(content, {
      type: 'application/gzip',
      disposition: `attachment; filename="${name}"`,
    });
  }
}
