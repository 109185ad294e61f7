import type { Dialog, DialogRef } from '@angular/cdk/dialog';
import { catchLostFocus } from '../../shared/ui/lost-focus';
import { JobScreenDialog } from './job-screen-dialog';

export function openJobScreen(dialogs: Dialog, jobId: number): DialogRef {
  const dialog = dialogs.open(JobScreenDialog, {
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
  dialog.closed.subscribe(catchLostFocus);
  return dialog as DialogRef;
}
