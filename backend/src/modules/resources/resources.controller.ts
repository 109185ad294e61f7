import { Get, Param, Query } from '@nestjs/common';
import { ApiOperation, getSchemaPath } from '@nestjs/swagger';
import { Returns, Fails, ApiClusterName, clusterName } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { subresourceVerbs } from '../../drivers/kubernetes/index.js';
import { ClusterResources } from './common/cluster-resources.js';
import { ReturnsJson } from './common/json-response.js';
import { OPEN_FAILURES } from './common/open-failures.js';
import { presentType } from './common/present-type.js';
import { ApiResourceType, typeName, type TypeParameters } from './common/resource-parameters.js';
import { ResourceTableDto, ResourceTypeDto } from './common/resource.dto.js';
import { TableQueryDto, TypesQueryDto } from './table/table.dto.js';
import { TablesService } from './table/tables.service.js';

@GuardedController('resources', 'clusters/:name/resources')
export class ResourcesController {
  constructor(
    private readonly resources: ClusterResources,
    private readonly tables: TablesService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List resource types',
    description:
      'Every kind that the cluster serves, in the preferred version of its group, including custom resources.',
  })
  @ApiClusterName()
  @Returns(ResourceTypeDto, { list: true })
  @Fails(...OPEN_FAILURES)
  async types(
    @Param('name') name: string,
    @Query() { runtime, namespace }: TypesQueryDto,
  ): Promise<ResourceTypeDto[]> {
    const { api, cluster } = await this.resources.open(clusterName(name), runtime);
    const types = await api.types();
    if (!cluster.external) return types.map(presentType);
    const rules = await api.access(namespace ?? cluster.external.namespace ?? 'default');
    return types.map((type) => ({
      ...presentType(type),
      forbidden: [...type.verbs, ...subresourceVerbs(type)].filter((verb) => rules.isForbidden(verb, type)),
    }));
  }

  @Get(':group/:version/:plural')
  @ApiOperation({
    summary: 'List objects of a kind as a table',
    description:
      'The API server prints the table, so columns, cells and order are those of kubectl. Secrets show their number of keys, not their values.',
  })
  @ApiResourceType()
  @ReturnsJson({ $ref: getSchemaPath(ResourceTableDto) }, ResourceTableDto)
  @Fails(...OPEN_FAILURES, 'resource_type_not_found', 'resource_refused', 'page_expired')
  async table(
    @Param('name') name: string,
    @Param() type: TypeParameters,
    @Query() query: TableQueryDto,
  ): Promise<string> {
    const cluster = await this.resources.open(clusterName(name), query.runtime);
    return JSON.stringify(await this.tables.page(cluster, typeName(type), query));
  }
}
