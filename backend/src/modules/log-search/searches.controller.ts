import { once } from 'node:events';
import { Get, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Returns, Fails, abortOnDisconnect } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { sendJson } from './send-json.js';
import { RegexLimit } from './regex-limit.js';
import { HistogramQueryDto, LineSearchDto } from './search-request.dto.js';
import { HistogramDto, SearchResultDto } from './search.dto.js';
import { SearchesService } from './searches.service.js';

const NDJSON = 'application/x-ndjson';

@GuardedController('search', '')
export class SearchesController {
  constructor(
    private readonly searches: SearchesService,
    private readonly regexLimit: RegexLimit,
  ) {}

  @Get('search')
  @ApiOperation({
    summary: 'Search lines',
    description:
      'NDJSON, newest lines first, as they are found: `match` objects with a line, `progress`, and finally `end`. With `Accept: application/json`, the complete result. A regex that takes too long is stopped.',
  })
  @ApiExtraModels(SearchResultDto)
  @ApiOkResponse({
    description: 'OK',
    content: {
      [NDJSON]: { schema: { type: 'string', example: '{"type":"progress","searched":1000}\n' } },
      'application/json': { schema: { $ref: getSchemaPath(SearchResultDto) } },
    },
  })
  @Fails('search_invalid', 'too_many_requests', 'storage_unavailable')
  async search(
    @Query() query: LineSearchDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    this.regexLimit.admit(query, response);
    const signal = abortOnDisconnect(response);
    if (request.accepts([NDJSON, 'application/json']) === 'application/json') {
      sendJson(response, await this.searches.all(query, signal));
      return;
    }
    const events = await this.searches.begin(query, signal);
    response.type(NDJSON);
    try {
      for await (const event of events) {
        if (!response.write(`${JSON.stringify(event)}\n`)) await once(response, 'drain', { signal });
      }
      response.end();
    } catch (error) {
      // The client has disconnected, or the search failed: without an `end` event the client knows that it is incomplete.
      response.destroy();
      if (!signal.aborted) throw error;
    }
  }

  @Get('histogram')
  @ApiOperation({
    summary: 'Count lines over time',
    description: 'By level, in buckets of equal length.',
  })
  @Returns(HistogramDto)
  @Fails('search_invalid', 'too_many_requests', 'storage_unavailable')
  histogram(
    @Query() query: HistogramQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HistogramDto> {
    this.regexLimit.admit(query, response);
    return this.searches.histogram(query, abortOnDisconnect(response));
  }
}
