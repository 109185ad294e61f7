import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/index.js';
import { ResourcesModule } from '../resources/index.js';
import { ProblemsController } from './problems.controller.js';
import { ProblemsService } from './problems.service.js';

/** Finds what does not work in the clusters. */
@Module({
  imports: [ClustersModule, ResourcesModule],
  controllers: [ProblemsController],
  providers: [ProblemsService],
  exports: [ProblemsService],
})
export class ProblemsModule {}
