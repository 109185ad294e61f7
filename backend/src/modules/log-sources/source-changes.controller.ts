import { Body, Delete, HttpCode, Param, Put } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam } from '@nestjs/swagger';
import { Returns, Fails } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { LogStoreAccess } from './log-store-access.js';
import { LogSourceDto } from './log-source.dto.js';
import { DeletedLinesDto, TakenInDto } from './source-change.dto.js';
import { SourceRegistry } from './source-registry.js';
import { sourceId } from './sources.controller.js';

@GuardedController('sources', 'api/sources')
export class SourceChangesController {
  constructor(
    private readonly access: LogStoreAccess,
    private readonly registry: SourceRegistry,
  ) {}

  @Put(':id/intake')
  @ApiOperation({
    summary: 'Exclude or include a source',
    description: 'Stored lines remain. The setting survives restarts.',
  })
  @ApiParam({ name: 'id', description: 'Id of the source', example: 17 })
  @ApiBody({ type: TakenInDto, examples: { exclude: { value: { taken_in: false } } } })
  @Returns(LogSourceDto)
  @Fails('source_not_found', 'storage_unavailable')
  async setIntake(@Param('id') id: string, @Body() { taken_in }: TakenInDto): Promise<LogSourceDto> {
    await this.access.get();
    return this.registry.present(this.registry.setIncluded(sourceId(id), taken_in));
  }

  @Delete(':id/history')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Delete the stored lines of a source',
    description:
      'This cannot be undone. New lines are stored as before, and line numbers continue. Older lines that the engine still has are not stored again.',
  })
  @ApiParam({ name: 'id', description: 'Id of the source', example: 17 })
  @Returns(DeletedLinesDto)
  @Fails('source_not_found', 'storage_unavailable')
  async deleteHistory(@Param('id') id: string): Promise<DeletedLinesDto> {
    const store = await this.access.get();
    const entry = this.registry.get(sourceId(id));
    this.registry.noteDeleted(entry);
    // The lines are hidden even if the disk refuses to delete them.
    const deleted = await store.delete(entry.id).finally(() => this.registry.changes.next(entry.id));
    this.registry.forgetEmpty();
    return deleted;
  }
}
