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
    summary: 'What happened and who did it, newest first',
    description:
      'One entry per job, per change or disclosure without a job, and per node-container event that no job caused. An entry does not change once its operation has ended.',
  })
  @Answers(JournalPageDto)
  @Fails('invalid_input')
  recent(@Query() { limit, offset, ...filter }: JournalQueryDto): Promise<JournalPage> {
    return this.journal.recent(filter, limit, offset);
  }
}
