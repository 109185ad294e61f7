import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Returns, Fails } from '../../core/api/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { SearchResponseDto, SearchQueryDto } from './search.dto.js';
import { SearchService } from './search.service.js';

@ApiTags('resources')
@UseGuards(AccessGuard)
@Controller('search')
export class SearchController {
  constructor(private readonly searches: SearchService) {}

  @Get()
  @ApiOperation({
    summary: 'Objects by name, in all clusters or one',
    description:
      'Every kind of every cluster that runs, events aside. What a cluster did not tell within two seconds is left out, and said to be. `cluster` searches that one alone, `runtime` those of one engine.',
  })
  @Returns(SearchResponseDto)
  @Fails('invalid_input', 'cluster_not_found', 'cluster_ambiguous')
  find(@Query() { q, limit, ...where }: SearchQueryDto): Promise<SearchResponseDto> {
    return this.searches.find(q, limit, where);
  }
}
