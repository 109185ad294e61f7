import { Get, Param } from '@nestjs/common';
import { ApiOperation, ApiParam } from '@nestjs/swagger';
import { Returns, Fails, recordId } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { KnownProblems } from './known-problems.js';
import { LogStoreAccess } from './log-store-access.js';
import { LogSourceDto } from './log-source.dto.js';
import { SourceCauseDto } from './source-cause.dto.js';
import { SourceRegistry } from './source-registry.js';

/** Read by both applications: the log board mounts it below `/api`, the dashboard below `/api/v1/logs`. */
@GuardedController('sources', 'sources')
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
}

/** @throws DomainError `source_not_found` */
export function sourceId(text: string): number {
  return recordId(text, 'source_not_found', 'source');
}
