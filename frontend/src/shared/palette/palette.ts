import { Dialog } from '@angular/cdk/dialog';
import { createGlobalPositionStrategy } from '@angular/cdk/overlay';
import type { ComponentType } from '@angular/cdk/portal';
import { DOCUMENT, inject, InjectionToken, Injector, Service } from '@angular/core';
import { loadPart } from '../loading/load-part';
import { Dialogs } from '../ui/dialogs';
import { KeyBuffer } from './key-buffer';
import type { PaletteEntry } from './palette-entry';

/** Loads the palette of the application: a component around `PaletteView`. */
export const PALETTE_DIALOG = new InjectionToken<() => Promise<ComponentType<unknown>>>('PALETTE_DIALOG');

/** Opens the command palette, and runs the chosen entry once it has closed. */
@Service()
export class Palette {
  private readonly dialog = inject(Dialog);
  private readonly document = inject(DOCUMENT);
  private readonly injector = inject(Injector);
  private readonly dialogs = inject(Dialogs);
  private readonly load = inject(PALETTE_DIALOG);
  private isShown = false;

  /** Opens the palette, or closes it. Does nothing while another dialog is open. */
  async toggle(): Promise<void> {
    if (this.isShown) {
      this.dialog.closeAll();
      return;
    }
    const keys = new KeyBuffer(this.document);
    let chosen: PaletteEntry | undefined;
    try {
      const component = await loadPart(this.load);
      if (this.dialog.openDialogs.length > 0) return;
      this.isShown = true;
      chosen = await this.dialogs.open<PaletteEntry>(() => Promise.resolve(component), {
        data: keys,
        ariaLabel: $localize`Search or jump to`,
        autoFocus: 'input',
        width: '640px',
        panelClass: ['dialog-pane', 'fills-phone', 'palette-pane'],
        positionStrategy: createGlobalPositionStrategy(this.injector)
          .top('min(12vh, 120px)')
          .centerHorizontally(),
      });
    } finally {
      this.isShown = false;
      keys.end();
    }
    chosen?.run();
  }
}
