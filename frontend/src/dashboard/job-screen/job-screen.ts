import { Dialog, type DialogConfig, type DialogRef } from '@angular/cdk/dialog';
import type { ComponentType } from '@angular/cdk/portal';
import { inject, Service } from '@angular/core';
import { loadPart } from '../../shared/loading/load-part';
import { Dialogs } from '../../shared/ui/dialogs';
import { catchLostFocus } from '../../shared/ui/lost-focus';

@Service()
export class JobScreen {
  private readonly dialog = inject(Dialog);
  private readonly dialogs = inject(Dialogs);
  private shown: { jobId: number; dialog: DialogRef } | undefined;

  /** Opens a dialog that starts a job, then the view of the job. */
  async openAfter(
    load: () => Promise<ComponentType<unknown>>,
    config: DialogConfig<unknown, DialogRef<number>>,
  ): Promise<void> {
    const jobId = await this.dialogs.open(load, config);
    if (jobId !== undefined) await this.open(jobId);
  }

  async open(jobId: number): Promise<void> {
    const { JobScreenDialog } = await loadPart(() => import('./job-screen-dialog'));
    if (this.shown?.jobId === jobId) return;
    this.shown?.dialog.close();
    const dialog = this.dialog.open<unknown, number>(JobScreenDialog, {
      data: jobId,
      ariaLabelledBy: 'job-screen-title',
      ariaDescribedBy: 'job-screen-now',
      autoFocus: '[data-first]',
      // The screen handles Esc, so that it does not close below a confirmation.
      disableClose: true,
      hasBackdrop: false,
      width: '100vw',
      height: '100dvh',
      maxWidth: '100vw',
      panelClass: 'job-screen-pane',
    });
    this.shown = { jobId, dialog };
    dialog.closed.subscribe(() => {
      if (this.shown?.dialog === dialog) this.shown = undefined;
      catchLostFocus();
    });
  }
}
