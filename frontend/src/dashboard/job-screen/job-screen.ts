import { Dialog } from '@angular/cdk/dialog';
import { inject, Service } from '@angular/core';

/** Opens the full-screen view of a job. It goes to the background only when a person says so. */
@Service()
export class JobScreen {
  private readonly dialog = inject(Dialog);

  async open(jobId: number): Promise<void> {
    const { JobScreenDialog } = await import('./job-screen-dialog');
    this.dialog.open(JobScreenDialog, {
      data: jobId,
      ariaLabelledBy: 'job-screen-title',
      autoFocus: '[data-first]',
      disableClose: true,
      hasBackdrop: false,
      width: '100vw',
      height: '100dvh',
      maxWidth: '100vw',
      panelClass: 'job-screen-pane',
    });
  }
}
