import { Dialog, type DialogConfig, type DialogRef } from '@angular/cdk/dialog';
import type { ComponentType } from '@angular/cdk/portal';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import { loadPart } from '../loading/load-part';
import { catchLostFocus } from './lost-focus';

@Service()
export class Dialogs {
  private readonly dialog = inject(Dialog);

  /** @returns the result of the dialog; undefined if it was dismissed */
  async open<TResult>(
    load: () => Promise<ComponentType<unknown>>,
    config: DialogConfig<unknown, DialogRef<TResult>>,
  ): Promise<TResult | undefined> {
    const open = this.dialog.open<TResult>(await loadPart(load), {
      panelClass: ['dialog-pane', 'fills-phone'],
      backdropClass: 'veil',
      ...config,
    });
    const result = await firstValueFrom(open.closed);
    catchLostFocus();
    return result;
  }
}
