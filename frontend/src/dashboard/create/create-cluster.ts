import { inject, Service } from '@angular/core';
import { JobScreen } from '../job-handle/job-screen';
import type { CreateModel } from './create-model';
import { CreateStore } from './create-store';

interface CreateOptions {
  controlPlanes?: number;
  workers?: number | undefined;
  mode?: CreateModel['mode'];
}

@Service()
export class CreateCluster {
  private readonly store = inject(CreateStore);
  private readonly screen = inject(JobScreen);

  async open({ controlPlanes, workers, mode }: CreateOptions = {}): Promise<void> {
    this.store.change({
      ...(controlPlanes !== undefined && { mode: 'form', control_planes: controlPlanes }),
      ...(workers !== undefined && { workers }),
      ...(mode !== undefined && { mode }),
    });
    await this.screen.openAfter(() => import('./create-dialog').then((file) => file.CreateDialog), {
      width: '1060px',
      top: '16px',
    });
  }
}
