import { Dialog } from '@angular/cdk/dialog';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { AlertDto } from '../../shared/api/api-types';
import { loadPart } from '../../shared/loading/load-part';
import type { AlertToEdit } from './alert-dialog';

/** Opens the form of an alert. */
@Service()
export class EditAlert {
  private readonly dialog = inject(Dialog);

  /** @returns what was saved, or undefined where nothing was. */
  async open(edited: AlertToEdit): Promise<AlertDto | undefined> {
    const { AlertDialog } = await loadPart(() => import('./alert-dialog'));
    const open = this.dialog.open<AlertDto, AlertToEdit>(AlertDialog, {
      data: edited,
      ariaLabelledBy: 'alert-title',
      autoFocus: '#alert-name',
      width: '640px',
      panelClass: ['dialog-pane', 'fills-phone'],
      backdropClass: 'veil',
    });
    return await firstValueFrom(open.closed);
  }
}
