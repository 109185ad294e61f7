import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/index.js';
import { JobsModule } from '../jobs/index.js';
import { ResourcesModule } from '../resources/index.js';
import { ClusterProblemsController } from './cluster-problems.controller.js';
import { JobProblems } from './job-problems.js';
import { ProblemsController } from './problems.controller.js';
import { ProblemsService } from './problems.service.js';

/** Finds what does not work in the clusters. */
@Module({
  imports: [ClustersModule, JobsModule, ResourcesModule],
  controllers: [ClusterProblemsController, ProblemsController],
  providers: [JobProblems, ProblemsService],
  exports: [ProblemsService],
})
export class ProblemsModule {}
