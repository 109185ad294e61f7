import { Dialog, type DialogRef } from '@angular/cdk/dialog';
import { DOCUMENT, inject, Service } from '@angular/core';
import { loadPart } from '../../shared/loading/load-part';
import { catchLostFocus } from '../../shared/ui/lost-focus';

/** Opens the full-screen view of a job. */
@Service()
export class JobScreen {
  private readonly dialog = inject(Dialog);
  private readonly document = inject(DOCUMENT);
  private shown: { jobId: number; dialog: DialogRef } | undefined;

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
      catchLostFocus(this.document);
    });
  }
}
