import type { ComponentType } from '@angular/cdk/portal';
import { DOCUMENT, inject, InjectionToken, Service } from '@angular/core';
import { loadPart } from '../loading/load-part';
import { Dialogs } from '../ui/dialogs';
import { KeyBuffer } from './key-buffer';
import type { PaletteEntry } from './palette-entry';

/** Loads the palette of the application: a component around `PaletteView`. */
export const PALETTE_DIALOG = new InjectionToken<() => Promise<ComponentType<unknown>>>('PALETTE_DIALOG');

/** Opens the command palette, and runs the chosen entry once it has closed. */
@Service()
export class Palette {
  private readonly document = inject(DOCUMENT);
  private readonly dialogs = inject(Dialogs);
  private readonly load = inject(PALETTE_DIALOG);
  private isShown = false;

  /** Opens the palette, or closes it. Does nothing while another dialog is open. */
  async toggle(): Promise<void> {
    if (this.isShown) {
      this.dialogs.closeAll();
      return;
    }
    const keys = new KeyBuffer(this.document);
    let chosen: PaletteEntry | undefined;
    try {
      const component = await loadPart(this.load);
      if (this.dialogs.areOpen) return;
      this.isShown = true;
      chosen = await this.dialogs.open<PaletteEntry>(() => Promise.resolve(component), {
        data: keys,
        ariaLabel: $localize`Search or jump to`,
        autoFocus: 'input',
        width: '640px',
        panelClass: ['dialog-pane', 'fills-phone', 'palette-pane'],
        top: 'min(12vh, 120px)',
      });
    } finally {
      this.isShown = false;
      keys.end();
    }
    chosen?.run();
  }
}
