import { Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { Fails, fileTimestamp, sendFile, abortOnDisconnect, type FileFailure } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { JournalService } from '../journal/index.js';
import { RegexLimit } from './regex-limit.js';
import { ExportsService } from './exports.service.js';
import { type ExportFormat, ExportQueryDto } from './search-request.dto.js';

@GuardedController('search', 'export')
export class ExportsController {
  constructor(
    private readonly exports: ExportsService,
    private readonly regexLimit: RegexLimit,
    private readonly journal: JournalService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Download lines',
    description:
      'All matching lines, the oldest first, as text or as one JSON object per line. A search that fails or times out before the first lines are found gets an error response. If it does later, the last line says so (for JSON an object with `error`), and the connection closes without the end of the response.',
  })
  @ApiOkResponse({
    description: 'OK',
    content: {
      'text/plain': { schema: { type: 'string' } },
      'application/x-ndjson': { schema: { type: 'string' } },
      'application/gzip': { schema: { type: 'string', format: 'binary' } },
    },
  })
  @Fails('search_invalid', 'search_timeout', 'too_many_requests', 'storage_unavailable')
  async download(@Query() query: ExportQueryDto, @Res() response: Response): Promise<void> {
    this.regexLimit.admit(query, response);
    const { format, gzip } = query;
    const signal = abortOnDisconnect(response);
    const pieces = await this.exports.begin(query, signal);
    this.journal.record({
      kind: 'log-export',
      message: `Log lines of ${this.exports.describeSources(query)} were downloaded.`,
    });
    const ending = `${format === 'text' ? 'log' : 'ndjson'}${gzip ? '.gz' : ''}`;
    response.setHeader('content-disposition', `attachment; filename="slipway-${fileTimestamp()}.${ending}"`);
    const type = format === 'text' ? 'text/plain; charset=utf-8' : 'application/x-ndjson';
    response.setHeader('content-type', gzip ? 'application/gzip' : type);
    await sendFile(response, pieces, {
      packed: gzip,
      signal,
      lastWords: (failure) => lastLine(failure, format),
    });
  }
}

/** The last line of an incomplete file. */
function lastLine(error: FileFailure, format: ExportFormat): string {
  return format === 'ndjson'
    ? `${JSON.stringify({ error })}\n`
    : `[Slipway] This file is incomplete. ${error.message}\n`;
}
