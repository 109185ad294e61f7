import { Dialog } from '@angular/cdk/dialog';
import { inject, Service } from '@angular/core';
import { loadPart } from '../../shared/loading/load-part';
import { Dialogs } from '../../shared/ui/dialogs';

@Service()
export class Shortcuts {
  private readonly dialog = inject(Dialog);
  private readonly dialogs = inject(Dialogs);

  async open(): Promise<void> {
    const { ShortcutsDialog } = await loadPart(() => import('./shortcuts-dialog'));
    if (this.dialog.openDialogs.length > 0) return;
    await this.dialogs.open(() => Promise.resolve(ShortcutsDialog), {
      ariaLabelledBy: 'shortcuts-title',
      autoFocus: '[data-first]',
      width: '560px',
    });
  }
}
