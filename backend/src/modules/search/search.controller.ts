import { Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Returns, Fails } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { SearchResponseDto, SearchQueryDto } from './search.dto.js';
import { SearchService } from './search.service.js';

@GuardedController('resources', 'search')
export class SearchController {
  constructor(private readonly searches: SearchService) {}

  @Get()
  @ApiOperation({
    summary: 'Search objects by name',
    description:
      'Searches all kinds except events in all running clusters. Results that take longer than 2 s are omitted, with a note. `cluster` and `runtime` restrict the search.',
  })
  @Returns(SearchResponseDto)
  @Fails('cluster_not_found', 'cluster_ambiguous')
  find(@Query() { q, limit, ...where }: SearchQueryDto): Promise<SearchResponseDto> {
    return this.searches.find(q, limit, where);
  }
}
