import { inject, Service } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import { Dialogs } from '../../shared/ui/dialogs';
import { JobScreen } from '../job-screen/job-screen';

/** Opens the dialog for a clone, then the screen of its job. */
@Service()
export class CloneCluster {
  private readonly dialogs = inject(Dialogs);
  private readonly screen = inject(JobScreen);

  async open({ name, runtime }: ClusterKey): Promise<void> {
    const jobId = await this.dialogs.open<number>(
      () => import('./clone-dialog').then((file) => file.CloneDialog),
      { data: { name, runtime }, ariaLabelledBy: 'clone-title', autoFocus: '#clone-name', width: '600px' },
    );
    if (jobId !== undefined) await this.screen.open(jobId);
  }
}
