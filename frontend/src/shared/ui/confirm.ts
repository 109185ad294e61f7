import { Dialog } from '@angular/cdk/dialog';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import { loadPart } from '../loading/load-part';
import type { Question } from './confirm-dialog';

/** Asks before something that cannot be taken back. */
@Service()
export class Confirm {
  private readonly dialog = inject(Dialog);

  async ask(question: Question): Promise<boolean> {
    const { ConfirmDialog } = await loadPart(() => import('./confirm-dialog'));
    const open = this.dialog.open<boolean, Question>(ConfirmDialog, {
      data: question,
      role: 'alertdialog',
      ariaLabelledBy: 'confirm-title',
      ariaDescribedBy: 'confirm-text',
      autoFocus: '[data-first]',
      width: '520px',
      panelClass: 'dialog-pane',
      backdropClass: 'veil',
    });
    return (await firstValueFrom(open.closed)) === true;
  }
}
