import { Dialog, type DialogConfig, type DialogRef } from '@angular/cdk/dialog';
import type { ComponentType } from '@angular/cdk/portal';
import { inject, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import { loadPart } from '../loading/load-part';
import { DialogHistory } from './dialog-history';
import { catchLostFocus } from './lost-focus';

@Service()
export class Dialogs {
  private readonly dialog = inject(Dialog);
  private readonly history = inject(DialogHistory);

  /** @returns the result of the dialog; undefined if it was dismissed */
  async open<TResult>(
    load: () => Promise<ComponentType<unknown>>,
    config: DialogConfig<unknown, DialogRef<TResult>>,
  ): Promise<TResult | undefined> {
    const component = await loadPart(load);
    await this.history.leave();
    const open = this.dialog.open<TResult>(component, {
      panelClass: ['dialog-pane', 'fills-phone'],
      backdropClass: 'veil',
      ...config,
    });
    const [result] = await Promise.all([firstValueFrom(open.closed), this.history.follow(open)]);
    catchLostFocus();
    return result;
  }
}
