import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/index.js';
import { JournalModule } from '../journal/index.js';
import { KubeconfigEntryStore } from './kubeconfig-entry.store.js';
import { KubeconfigMergeController } from './kubeconfig-merge.controller.js';
import { KubeconfigMergeService } from './kubeconfig-merge.service.js';
import { KubeconfigSync } from './kubeconfig-sync.js';
import { KubeconfigController } from './kubeconfig.controller.js';
import { KubeconfigService } from './kubeconfig.service.js';
import { UserKubeconfig } from './user-kubeconfig.js';

@Module({
  imports: [ClustersModule, JournalModule],
  controllers: [KubeconfigController, KubeconfigMergeController],
  providers: [
    KubeconfigEntryStore,
    KubeconfigMergeService,
    KubeconfigService,
    KubeconfigSync,
    UserKubeconfig,
  ],
  exports: [KubeconfigService],
})
export class KubeconfigModule {}
