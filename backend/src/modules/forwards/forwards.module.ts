import { Module } from '@nestjs/common';
import { SocketOwners } from '../../core/security/index.js';
import { ClustersModule } from '../clusters/index.js';
import { JournalModule } from '../journal/index.js';
import { ResourcesModule } from '../resources/index.js';
import { ForwardAccess } from './forward-access.js';
import { ForwardStore } from './forward.store.js';
import { ForwardsController } from './forwards.controller.js';
import { ForwardsService } from './forwards.service.js';

@Module({
  imports: [ClustersModule, JournalModule, ResourcesModule],
  controllers: [ForwardsController],
  providers: [
    ForwardAccess,
    ForwardsService,
    ForwardStore,
    { provide: SocketOwners, useFactory: () => new SocketOwners() },
  ],
  exports: [ForwardsService],
})
export class ForwardsModule {}
