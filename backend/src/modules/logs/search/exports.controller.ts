import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Controller, Get, Query, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Fails } from '../../../core/api/index.js';
import { AccessGuard } from '../../../core/security/index.js';
import { ExportsService } from './exports.service.js';
import { ExportQueryDto } from './search-request.dto.js';
import { whileWanted } from './while-wanted.js';

/** Lines as files. */
@ApiTags('search')
@UseGuards(AccessGuard)
@Controller('api/export')
export class ExportsController {
  constructor(private readonly exports: ExportsService) {}

  @Get()
  @ApiOperation({
    summary: 'Download lines',
    description: 'All that match, the oldest first, as text or as an object of JSON for each line.',
  })
  @ApiOkResponse({
    description: 'OK',
    content: {
      'text/plain': { schema: { type: 'string' } },
      'application/x-ndjson': { schema: { type: 'string' } },
      'application/gzip': { schema: { type: 'string', format: 'binary' } },
    },
  })
  @Fails('invalid_input', 'search_invalid', 'storage_unavailable')
  async download(@Query() query: ExportQueryDto, @Res() response: Response): Promise<void> {
    const signal = whileWanted(response);
    const lines = Readable.from(await this.exports.begin(query, signal), { objectMode: true });
    const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    const ending = `${query.format === 'text' ? 'log' : 'ndjson'}${query.gzip ? '.gz' : ''}`;
    response.setHeader('content-disposition', `attachment; filename="slipway-${stamp}.${ending}"`);
    const type = query.format === 'text' ? 'text/plain; charset=utf-8' : 'application/x-ndjson';
    response.setHeader('content-type', query.gzip ? 'application/gzip' : type);
    try {
      await (query.gzip ? pipeline(lines, createGzip(), response) : pipeline(lines, response));
    } catch (error) {
      // The file breaks off, which its reader sees by the connection.
      response.destroy();
      if (!signal.aborted) throw error;
    }
  }
}
