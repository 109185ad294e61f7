import { Get, Query, Res } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { abortOnDisconnect, Fails, Returns } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import {
  CompletionsDto,
  CompletionsQueryDto,
  FieldValuesDto,
  FieldValuesQueryDto,
  LinePatternsDto,
  LinePatternsQueryDto,
} from './line-groups.dto.js';
import { LineGroupsService } from './line-groups.service.js';
import { RegexLimit } from './regex-limit.js';

@GuardedController('search', '')
export class LineGroupsController {
  constructor(
    private readonly groups: LineGroupsService,
    private readonly regexLimit: RegexLimit,
  ) {}

  @Get('patterns')
  @ApiOperation({
    summary: 'Count lines by pattern',
    description:
      'Groups the newest 20,000 matching lines whose messages differ only in what varies. With `new_since`, only those of which no earlier line has the pattern.',
  })
  @Returns(LinePatternsDto)
  @Fails('search_invalid', 'too_many_requests', 'storage_unavailable')
  patterns(
    @Query() query: LinePatternsQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LinePatternsDto> {
    this.regexLimit.admit(query, response);
    return this.groups.patterns(query, abortOnDisconnect(response));
  }

  @Get('fields')
  @ApiOperation({
    summary: 'Count lines by the value of a field',
    description: 'The most frequent values of a field in the newest 20,000 matching lines.',
  })
  @Returns(FieldValuesDto)
  @Fails('search_invalid', 'too_many_requests', 'storage_unavailable')
  values(
    @Query() query: FieldValuesQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FieldValuesDto> {
    this.regexLimit.admit(query, response);
    return this.groups.values(query, abortOnDisconnect(response));
  }

  @Get('completions')
  @ApiOperation({
    summary: 'Complete a query',
    description: 'Names or values of the newest 2,000 matching lines, for the search field.',
  })
  @Returns(CompletionsDto)
  @Fails('search_invalid', 'too_many_requests', 'storage_unavailable')
  completions(
    @Query() query: CompletionsQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CompletionsDto> {
    this.regexLimit.admit(query, response);
    return this.groups.completions(query, abortOnDisconnect(response));
  }
}
