import { Get, Param, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { ApiClusterName, clusterName, Returns, RuntimeQueryDto } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { ProblemDto } from './problem.dto.js';
import { ProblemsService } from './problems.service.js';

@GuardedController('resources', '')
export class ProblemsController {
  constructor(private readonly problems: ProblemsService) {}

  @Get('problems')
  @ApiOperation({
    summary: 'List what does not work in all clusters',
    description:
      'One entry per workload or other object with a known cause, in the clusters whose API server responds. Slipway watches them all the time, so the response is immediate. What a usual start needs, such as pulling an image, is not a problem.',
  })
  @Returns(ProblemDto, { list: true })
  list(): ProblemDto[] {
    return this.problems.list();
  }

  @Get('clusters/:name/problems')
  @ApiOperation({ summary: 'List what does not work in a cluster' })
  @ApiClusterName()
  @Returns(ProblemDto, { list: true })
  async ofCluster(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<ProblemDto[]> {
    return await this.problems.ofCluster(clusterName(name), runtime);
  }
}
