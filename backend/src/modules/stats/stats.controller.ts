import { Get } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Returns } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { ClusterHistoryDto, StatsDto } from './stats.dto.js';
import { StatsService } from './stats.service.js';

@GuardedController('stats', 'stats')
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get()
  @ApiOperation({
    summary: 'Usage of all nodes, and counts',
    description:
      'Sampled every 15 s, and every 2 s while there are viewers; a request counts as one for ten seconds. The response has the newest sample and its time.',
  })
  @Returns(StatsDto)
  read(): Promise<StatsDto> {
    return this.stats.read();
  }

  @Get('history')
  @ApiOperation({
    summary: 'Usage of all clusters and nodes in the last 24 hours',
    description: 'Kept in memory since Slipway started.',
  })
  @Returns(ClusterHistoryDto, { list: true })
  readHistory(): Promise<ClusterHistoryDto[]> {
    return this.stats.readHistory();
  }
}
