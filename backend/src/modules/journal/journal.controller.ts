import { Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { Response } from 'express';
import { Returns, Fails, fileTimestamp, sendFile, abortOnDisconnect } from '../../core/api/index.js';
import { GuardedController, JOB_ID } from '../../core/security/index.js';
import { JournalExport, lastLine } from './journal-export.js';
import {
  JournalEntryWithDiffDto,
  JournalExportQueryDto,
  JournalPageDto,
  JournalQueryDto,
} from './journal.dto.js';
import { JournalService } from './journal.service.js';

@GuardedController('journal', 'journal')
export class JournalController {
  constructor(
    private readonly journal: JournalService,
    private readonly exports: JournalExport,
  ) {}

  @Get('recent')
  @ApiOperation({
    summary: 'List journal entries, newest first',
    description:
      'One entry per job, per change or disclosure without a job, and per event of a node or an engine that no job caused, or that happened while Slipway was not running. With `grouped`, one entry for the same change of several objects by one request. Entries of ended operations do not change.',
  })
  @Returns(JournalPageDto)
  recent(@Query() { limit, offset, ...filter }: JournalQueryDto): Promise<JournalPageDto> {
    return this.journal.recent(filter, limit, offset);
  }

  @Get('export')
  @ApiOperation({
    summary: 'Export entries as a file',
    description:
      "All matching entries that exist when the export starts, in the order in which their operations started, oldest first. The journal records the export. If it fails after streaming has started, the last line carries the error (for NDJSON an object with `error`), and the connection is closed before the end of the response. In CSV, cells that a spreadsheet would read as formulas start with `'`.",
  })
  @ApiOkResponse({
    description: 'OK',
    content: {
      'application/x-ndjson': { schema: { type: 'string' } },
      'text/csv': { schema: { type: 'string' } },
    },
  })
  @Fails('too_many_requests', 'storage_unavailable')
  async export(
    @Query() { format, ...filter }: JournalExportQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    const signal = abortOnDisconnect(response);
    const pieces = this.exports.start(filter, format, signal);
    const type = format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/x-ndjson';
    response.setHeader('content-type', type);
    response.setHeader(
      'content-disposition',
      `attachment; filename="slipway-journal-${fileTimestamp()}.${format}"`,
    );
    await sendFile(response, pieces, {
      packed: false,
      signal,
      lastWords: (error) => lastLine(error, format),
    });
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get a journal entry with what it changed' })
  @ApiParam({ name: 'id', description: 'Id of the entry', example: 42 })
  @Returns(JournalEntryWithDiffDto)
  @Fails('journal_entry_not_found')
  one(@Param('id') id: string): JournalEntryWithDiffDto {
    // An id that is not a number is that of no entry.
    return this.journal.entry(JOB_ID.test(id) ? Number(id) : 0);
  }
}
