import { Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { Response } from 'express';
import { Returns, Fails, recordId } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { sendJson } from './send-json.js';
import { LineDetailDto, LinePageDto, LinesQueryDto, MergedPageDto, MergedQueryDto } from './line-page.dto.js';
import { LinesService } from './lines.service.js';

@GuardedController('lines', '')
export class LinesController {
  constructor(private readonly lines: LinesService) {}

  @Get('sources/:id/lines')
  @ApiOperation({
    summary: 'List the lines of a source',
    description:
      'Lines before, after or around a line, or the newest lines. Always in order. A page is cut at 8 MB of text, and `ended_early` is true then.',
  })
  @ApiParam({ name: 'id', description: 'Id of the source', example: 17 })
  @ApiOkResponse({ type: LinePageDto, description: 'OK' })
  @Fails('source_not_found', 'storage_unavailable')
  async page(
    @Param('id') id: string,
    @Query() query: LinesQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    sendJson(response, await this.lines.page(recordId(id, 'source_not_found', 'source'), query));
  }

  @Get('sources/:id/lines/:seq')
  @ApiOperation({ summary: 'Get a line', description: 'With the fields of a JSON or logfmt line.' })
  @ApiParam({ name: 'id', description: 'Id of the source', example: 17 })
  @ApiParam({ name: 'seq', description: 'Number of the line', example: 4212 })
  @Returns(LineDetailDto)
  @Fails('source_not_found', 'line_not_found', 'storage_unavailable')
  detail(@Param('id') id: string, @Param('seq') seq: string): Promise<LineDetailDto> {
    return this.lines.detail(
      recordId(id, 'source_not_found', 'source'),
      recordId(seq, 'line_not_found', 'line'),
    );
  }

  @Get('lines')
  @ApiOperation({
    summary: 'List the lines of several sources by time',
    description:
      'Lines from a position, or around a time or a line, or the newest lines. The position of a line never changes. A page is cut at 8 MB of text, and `ended_early` is true then.',
  })
  @ApiOkResponse({ type: MergedPageDto, description: 'OK' })
  @Fails('line_not_found', 'storage_unavailable')
  async merged(@Query() query: MergedQueryDto, @Res() response: Response): Promise<void> {
    sendJson(response, await this.lines.merged(query));
  }
}
