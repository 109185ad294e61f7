import { Body, Controller, Delete, Get, HttpCode, Param, Put, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Returns, Fails } from '../../core/api/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { LogStoreAccess } from './log-store-access.js';
import { sourceId } from './source-parameters.js';
import { LogSourceDto } from './log-source.dto.js';
import { DeletedLinesDto, TakenInDto } from './source-change.dto.js';
import { SourceRegistry } from './source-registry.js';

/** What lines come from. */
@ApiTags('sources')
@UseGuards(AccessGuard)
@Controller('api/sources')
export class SourcesController {
  constructor(
    private readonly access: LogStoreAccess,
    private readonly registry: SourceRegistry,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'All sources',
    description:
      'Containers of every engine, containers of pods, and services of nodes; also those that are gone, as long as lines of them are kept.',
  })
  @Returns(LogSourceDto, { list: true })
  @Fails('storage_unavailable')
  async list(): Promise<LogSourceDto[]> {
    await this.access.get();
    return this.registry.all().map((entry) => this.registry.present(entry));
  }

  @Get(':id')
  @ApiOperation({ summary: 'One source' })
  @ApiParam({ name: 'id', description: 'Id of the source', example: 17 })
  @Returns(LogSourceDto)
  @Fails('source_not_found', 'storage_unavailable')
  async one(@Param('id') id: string): Promise<LogSourceDto> {
    await this.access.get();
    return this.registry.present(this.registry.get(sourceId(id)));
  }

  @Put(':id/intake')
  @ApiOperation({
    summary: 'Leave a source out, or take it in again',
    description: 'What is kept of it stays. It is remembered over restarts.',
  })
  @ApiParam({ name: 'id', description: 'Id of the source', example: 17 })
  @ApiBody({ type: TakenInDto, examples: { 'leave out': { value: { taken_in: false } } } })
  @Returns(LogSourceDto)
  @Fails('invalid_input', 'source_not_found', 'storage_unavailable')
  async setIntake(@Param('id') id: string, @Body() { taken_in }: TakenInDto): Promise<LogSourceDto> {
    await this.access.get();
    return this.registry.present(this.registry.setTakenIn(sourceId(id), taken_in));
  }

  @Delete(':id/history')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Delete what is kept of a source',
    description:
      'For good. What it writes from then on is kept as before, under numbers that go on; what its engine still holds does not come back.',
  })
  @ApiParam({ name: 'id', description: 'Id of the source', example: 17 })
  @Returns(DeletedLinesDto)
  @Fails('source_not_found', 'storage_unavailable')
  async deleteHistory(@Param('id') id: string): Promise<DeletedLinesDto> {
    const store = await this.access.get();
    const entry = this.registry.get(sourceId(id));
    this.registry.noteDeleted(entry);
    // They are hidden also where the disk refuses the rest.
    const deleted = await store.delete(entry.id).finally(() => this.registry.changes.next(entry.id));
    this.registry.forgetEmpty();
    return deleted;
  }
}
