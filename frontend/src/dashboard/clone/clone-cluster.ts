import { Dialog } from '@angular/cdk/dialog';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { ClusterKey } from '../../shared/api/api';
import { loadPart } from '../../shared/loading/load-part';
import { JobScreen } from '../job-screen/job-screen';

/** Opens the form for a clone, and the screen of the job that it begins. */
@Service()
export class CloneCluster {
  private readonly dialog = inject(Dialog);
  private readonly screen = inject(JobScreen);

  async open({ name, runtime }: ClusterKey): Promise<void> {
    const { CloneDialog } = await loadPart(() => import('./clone-dialog'));
    const open = this.dialog.open<number, ClusterKey>(CloneDialog, {
      data: { name, runtime },
      ariaLabelledBy: 'clone-title',
      autoFocus: '#clone-name',
      width: '600px',
      panelClass: ['dialog-pane', 'fills-phone'],
      backdropClass: 'veil',
    });
    const jobId = await firstValueFrom(open.closed);
    if (jobId !== undefined) await this.screen.open(jobId);
  }
}
