import { Get } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Returns } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { StatsDto } from './stats.dto.js';
import { StatsService } from './stats.service.js';

@GuardedController('stats', 'stats')
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get()
  @ApiOperation({
    summary: 'Usage of all nodes, and counts',
    description: 'A request keeps the sampler running for ten seconds. Without requests, nothing is sampled.',
  })
  @Returns(StatsDto)
  read(): Promise<StatsDto> {
    return this.stats.read();
  }
}
