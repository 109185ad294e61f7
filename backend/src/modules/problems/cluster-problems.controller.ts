import { Get, Param, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { ApiClusterName, clusterName, Returns, RuntimeQueryDto } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { ProblemDto } from './problem.dto.js';
import { ProblemsService } from './problems.service.js';

@GuardedController('problems', 'clusters/:name/problems')
export class ClusterProblemsController {
  constructor(private readonly problems: ProblemsService) {}

  @Get()
  @ApiOperation({
    summary: 'List what does not work in a cluster',
    description: 'Empty while the cluster does not run. `problems` of the cluster is null then.',
  })
  @ApiClusterName()
  @Returns(ProblemDto, { list: true })
  async list(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<ProblemDto[]> {
    return await this.problems.ofCluster(clusterName(name), runtime);
  }
}
