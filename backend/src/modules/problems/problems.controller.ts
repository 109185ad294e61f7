import { Get } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Returns } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { ProblemDto } from './problem.dto.js';
import { ProblemsService } from './problems.service.js';

@GuardedController('problems', 'problems')
export class ProblemsController {
  constructor(private readonly problems: ProblemsService) {}

  @Get()
  @ApiOperation({
    summary: 'List what does not work in all clusters',
    description:
      'One entry per workload or other object with a known cause, in the clusters whose API server responds. Slipway watches them all the time, so the response is immediate. What a usual start has too, such as a Pod without a node for less than 30 s, is not a problem.',
  })
  @Returns(ProblemDto, { list: true })
  list(): ProblemDto[] {
    return this.problems.list();
  }
}
