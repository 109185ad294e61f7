import { Body, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam } from '@nestjs/swagger';
import { Returns, Fails, recordId } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { DeletedSearchDto, SavedSearchDto, SaveSearchDto } from './saved-search.dto.js';
import { MAX_SAVED_SEARCHES, SavedSearchesService } from './saved-searches.service.js';

const EXAMPLES = { timeouts: { value: { name: 'Payments: timeouts', query: 'q=timeout&level=error' } } };

@GuardedController('saved searches', 'api/saved-searches')
export class SavedSearchesController {
  constructor(private readonly searches: SavedSearchesService) {}

  @Get()
  @ApiOperation({ summary: 'List saved searches by name' })
  @Returns(SavedSearchDto, { list: true })
  list(): SavedSearchDto[] {
    return this.searches.list();
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({
    summary: 'Save a search',
    description: `At most ${MAX_SAVED_SEARCHES} searches, each with a unique name.`,
  })
  @ApiBody({ type: SaveSearchDto, examples: EXAMPLES })
  @Returns(SavedSearchDto, { status: 201 })
  @Fails('storage_unavailable')
  create(@Body() request: SaveSearchDto): SavedSearchDto {
    return this.searches.create(request);
  }

  @Put(':id')
  @ApiOperation({ summary: 'Update a saved search' })
  @ApiParam({ name: 'id', example: 3 })
  @ApiBody({ type: SaveSearchDto, examples: EXAMPLES })
  @Returns(SavedSearchDto)
  @Fails('saved_search_not_found', 'storage_unavailable')
  update(@Param('id') id: string, @Body() request: SaveSearchDto): SavedSearchDto {
    return this.searches.update(recordId(id, 'saved_search_not_found', 'saved search'), request);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Delete a saved search' })
  @ApiParam({ name: 'id', example: 3 })
  @Returns(DeletedSearchDto)
  @Fails('saved_search_not_found', 'storage_unavailable')
  remove(@Param('id') text: string): DeletedSearchDto {
    const id = recordId(text, 'saved_search_not_found', 'saved search');
    this.searches.remove(id);
    return { id };
  }
}
