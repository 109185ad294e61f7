import { Dialog } from '@angular/cdk/dialog';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { ClusterKey } from '../../shared/api/api';
import { loadPart } from '../../shared/loading/load-part';
import { JobScreen } from '../job-screen/job-screen';

/** Opens the choice of images for a cluster, and the screen of the job that it begins. */
@Service()
export class LoadImages {
  private readonly dialog = inject(Dialog);
  private readonly screen = inject(JobScreen);

  async open({ name, runtime }: ClusterKey): Promise<void> {
    const { LoadImagesDialog } = await loadPart(() => import('./load-images-dialog'));
    const open = this.dialog.open<number, ClusterKey>(LoadImagesDialog, {
      data: { name, runtime },
      ariaLabelledBy: 'load-title',
      autoFocus: '#load-search',
      width: '720px',
      panelClass: ['dialog-pane', 'fills-phone'],
      backdropClass: 'veil',
    });
    const jobId = await firstValueFrom(open.closed);
    if (jobId !== undefined) await this.screen.open(jobId);
  }
}
