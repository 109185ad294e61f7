import { inject, Service } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import { Dialogs } from '../../shared/ui/dialogs';
import { JobScreen } from '../job-screen/job-screen';

/** Opens the dialog to load images into a cluster, then the screen of its job. */
@Service()
export class LoadImages {
  private readonly dialogs = inject(Dialogs);
  private readonly screen = inject(JobScreen);

  async open({ name, runtime }: ClusterKey): Promise<void> {
    const jobId = await this.dialogs.open<number>(
      () => import('./load-images-dialog').then((file) => file.LoadImagesDialog),
      { data: { name, runtime }, ariaLabelledBy: 'load-title', autoFocus: 'input', width: '720px' },
    );
    if (jobId !== undefined) await this.screen.open(jobId);
  }
}
