import { Body, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam } from '@nestjs/swagger';
import { Returns, Fails, recordId } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { KnownProblems } from './known-problems.js';
import { LogStoreAccess } from './log-store-access.js';
import { LogSourceDto } from './log-source.dto.js';
import { SourceCauseDto } from './source-cause.dto.js';
import { DeletedLinesDto, TakenInDto } from './source-change.dto.js';
import { SourceRegistry } from './source-registry.js';

@GuardedController('sources', 'api/sources')
export class SourcesController {
  constructor(
    private readonly access: LogStoreAccess,
    private readonly registry: SourceRegistry,
    private readonly problems: KnownProblems,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List sources',
    description:
      'Containers of all engines, containers of pods, and services of nodes. Deleted sources are listed as long as lines of them are stored.',
  })
  @Returns(LogSourceDto, { list: true })
  @Fails('storage_unavailable')
  async list(): Promise<LogSourceDto[]> {
    await this.access.get();
    return this.registry.all().map((entry) => this.registry.present(entry));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get a source' })
  @ApiParam({ name: 'id', description: 'Id of the source', example: 17 })
  @Returns(LogSourceDto)
  @Fails('source_not_found', 'storage_unavailable')
  async one(@Param('id') id: string): Promise<LogSourceDto> {
    await this.access.get();
    return this.registry.present(this.registry.get(sourceId(id)));
  }

  @Get(':id/cause')
  @ApiOperation({
    summary: 'Get why the Pod or node of a source does not work',
    description:
      'What the dashboard knows now of its Pod or node, or else of its workload. Null if nothing is wrong with them.',
  })
  @ApiParam({ name: 'id', description: 'Id of the source', example: 17 })
  @Returns(SourceCauseDto)
  @Fails('source_not_found', 'storage_unavailable')
  async cause(@Param('id') id: string): Promise<SourceCauseDto> {
    await this.access.get();
    const problem = this.problems.of(this.registry.get(sourceId(id)).identity);
    if (!problem) return { known: this.problems.areKnown, cause: null };
    const { kind, namespace, name, since, message, next_step } = problem;
    return { known: true, cause: { kind, namespace, name, since, message, next_step } };
  }

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

function sourceId(text: string): number {
  return recordId(text, 'source_not_found', 'source');
}
