import { Dialog, type DialogRef } from '@angular/cdk/dialog';
import type { Injector } from '@angular/core';
import { catchLostFocus } from '../../shared/ui/lost-focus';
import { JobScreenDialog } from './job-screen-dialog';

export function openJobScreen(injector: Injector, jobId: number): DialogRef {
  const dialog = injector.get(Dialog).open(JobScreenDialog, {
    data: jobId,
    ariaLabelledBy: 'job-screen-title',
    ariaDescribedBy: 'job-screen-now',
    autoFocus: '[data-first]',
    // The dialog that created a first cluster has left the focus on the page. Meanwhile there is a row.
    restoreFocus: !document.activeElement?.matches('main'),
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
