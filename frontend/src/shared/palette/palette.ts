import { Dialog, type DialogRef } from '@angular/cdk/dialog';
import { createGlobalPositionStrategy } from '@angular/cdk/overlay';
import type { ComponentType } from '@angular/cdk/portal';
import { DOCUMENT, inject, InjectionToken, Injector, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import { loadPart } from '../loading/load-part';
import { catchLostFocus } from '../ui/lost-focus';
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
  private readonly load = inject(PALETTE_DIALOG);
  private shown: DialogRef<PaletteEntry> | undefined;

  /** Opens or closes the palette. Does nothing while another dialog is open. */
  async toggle(): Promise<void> {
    if (this.shown) {
      this.shown.close();
      return;
    }
    const keys = new KeyBuffer(this.document);
    try {
      const component = await loadPart(this.load);
      if (this.dialog.openDialogs.length === 0) await this.show(component, keys);
    } finally {
      keys.end();
    }
  }

  private async show(component: ComponentType<unknown>, keys: KeyBuffer): Promise<void> {
    const shown = this.dialog.open<PaletteEntry, KeyBuffer>(component, {
      data: keys,
      ariaLabel: $localize`Search or jump to`,
      autoFocus: 'input',
      width: '640px',
      panelClass: ['dialog-pane', 'fills-phone', 'palette-pane'],
      backdropClass: 'veil',
      positionStrategy: createGlobalPositionStrategy(this.injector)
        .top('min(12vh, 120px)')
        .centerHorizontally(),
    });
    this.shown = shown;
    const chosen = await firstValueFrom(shown.closed);
    this.shown = undefined;
    catchLostFocus();
    chosen?.run();
  }
}
