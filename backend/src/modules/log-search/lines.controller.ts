import { Controller, Get, Param, Query, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Returns, Fails } from '../../core/api/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { sendJson } from './send-json.js';
import { LineDetailDto, LinePageDto, LinesQueryDto, MergedPageDto, MergedQueryDto } from './line-page.dto.js';
import { LinesService } from './lines.service.js';
import { lineNumber, sourceId } from '../log-sources/index.js';

/** Lines that are kept, of one source or of several in one order. */
@ApiTags('lines')
@UseGuards(AccessGuard)
@Controller('api')
export class LinesController {
  constructor(private readonly lines: LinesService) {}

  @Get('sources/:id/lines')
  @ApiOperation({
    summary: 'Lines of a source',
    description:
      'Before, after or around one of them; without a place the newest. Always in their order. A page whose texts have 8 MB ends there, and says so.',
  })
  @ApiParam({ name: 'id', description: 'Id of the source', example: 17 })
  @ApiOkResponse({ type: LinePageDto, description: 'OK' })
  @Fails('invalid_input', 'source_not_found', 'storage_unavailable')
  async page(
    @Param('id') id: string,
    @Query() query: LinesQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    sendJson(response, await this.lines.page(sourceId(id), query));
  }

  @Get('sources/:id/lines/:seq')
  @ApiOperation({ summary: 'One line', description: 'With the fields that it has as JSON or logfmt.' })
  @ApiParam({ name: 'id', description: 'Id of the source', example: 17 })
  @ApiParam({ name: 'seq', description: 'Number of the line', example: 4212 })
  @Returns(LineDetailDto)
  @Fails('source_not_found', 'line_not_found', 'storage_unavailable')
  detail(@Param('id') id: string, @Param('seq') seq: string): Promise<LineDetailDto> {
    return this.lines.detail(sourceId(id), lineNumber(seq));
  }

  @Get('lines')
  @ApiOperation({
    summary: 'Lines of several sources in one order',
    description:
      'From a position on, or around a time or a line; without a place the newest. The position of a line stays, whatever comes or goes. A page whose texts have 8 MB ends there, and says so.',
  })
  @ApiOkResponse({ type: MergedPageDto, description: 'OK' })
  @Fails('invalid_input', 'line_not_found', 'storage_unavailable')
  async merged(@Query() query: MergedQueryDto, @Res() response: Response): Promise<void> {
    sendJson(response, await this.lines.merged(query));
  }
}
