import { Controller, Get, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Returns, Fails } from '../../core/api/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { StatsDto } from './stats.dto.js';
import { StatsService } from './stats.service.js';

@ApiTags('stats')
@UseGuards(AccessGuard)
@Controller('stats')
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get()
  @ApiOperation({
    summary: 'Usage of all nodes, and counts',
    description: 'A request keeps the sampler running for ten seconds. Without requests, nothing is sampled.',
  })
  @Returns(StatsDto)
  @Fails()
  read(): Promise<StatsDto> {
    return this.stats.read();
  }
}
