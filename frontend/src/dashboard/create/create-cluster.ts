import { Dialog } from '@angular/cdk/dialog';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import { loadPart } from '../../shared/loading/load-part';
import { JobScreen } from '../job-screen/job-screen';
import type { CreateDraft } from './create-draft';
import { CreateDraftKeeper } from './create-draft-keeper';

export interface CreateWish {
  controlPlanes?: number;
  workers?: number;
  mode?: CreateDraft['mode'];
}

/** Opens the form for a new cluster, and the screen of the job that it begins. */
@Service()
export class CreateCluster {
  private readonly dialog = inject(Dialog);
  private readonly keeper = inject(CreateDraftKeeper);
  private readonly screen = inject(JobScreen);

  async open(wish: CreateWish = {}): Promise<void> {
    const { controlPlanes, workers, mode } = wish;
    if (controlPlanes !== undefined) {
      this.keeper.change({ mode: 'form', controlPlanes: String(controlPlanes) });
    }
    if (workers !== undefined) this.keeper.change({ workers: String(workers) });
    if (mode !== undefined) this.keeper.change({ mode });
    const { CreateDialog } = await loadPart(() => import('./create-dialog'));
    const open = this.dialog.open<number>(CreateDialog, {
      ariaLabelledBy: 'create-title',
      autoFocus: '#create-name',
      width: '1060px',
      panelClass: ['dialog-pane', 'fills-phone'],
      backdropClass: 'veil',
    });
    const jobId = await firstValueFrom(open.closed);
    if (jobId !== undefined) await this.screen.open(jobId);
  }
}
