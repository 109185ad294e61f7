import { Dialog } from '@angular/cdk/dialog';
import { DOCUMENT, inject, Service } from '@angular/core';
import { loadPart } from '../../shared/loading/load-part';
import { catchLostFocus } from '../../shared/ui/lost-focus';

/** Opens the help with all keys. */
@Service()
export class Shortcuts {
  private readonly dialog = inject(Dialog);
  private readonly document = inject(DOCUMENT);

  async open(): Promise<void> {
    const { ShortcutsDialog } = await loadPart(() => import('./shortcuts-dialog'));
    if (this.dialog.openDialogs.length > 0) return;
    const dialog = this.dialog.open(ShortcutsDialog, {
      ariaLabelledBy: 'shortcuts-title',
      autoFocus: '[data-first]',
      width: '560px',
      panelClass: ['dialog-pane', 'fills-phone'],
      backdropClass: 'veil',
    });
    dialog.closed.subscribe(() => catchLostFocus(this.document));
  }
}
