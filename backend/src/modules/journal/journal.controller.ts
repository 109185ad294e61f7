import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answers, Fails } from '../../core/api/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { JournalPageDto, JournalQueryDto } from './journal.dto.js';
import { JournalService, type JournalPage } from './journal.service.js';

@ApiTags('journal')
@UseGuards(AccessGuard)
@Controller('journal')
export class JournalController {
  constructor(private readonly journal: JournalService) {}

  @Get('recent')
  @ApiOperation({
    summary: 'What happened, newest first',
    description: 'One entry per job, and one for each thing that befell a node container without a job.',
  })
  @Answers(JournalPageDto)
  @Fails('invalid_input')
  recent(@Query() { limit, offset, ...filter }: JournalQueryDto): JournalPage {
    return this.journal.recent(filter, limit, offset);
  }
}
