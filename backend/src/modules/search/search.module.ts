import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/index.js';
import { ResourcesModule } from '../resources/index.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

@Module({
  imports: [ClustersModule, ResourcesModule],
  controllers: [SearchController],
  providers: [SearchService],
})
export class SearchModule {}
