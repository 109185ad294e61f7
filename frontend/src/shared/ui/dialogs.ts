import type { DialogRef } from '@angular/cdk/dialog';
import type { ComponentType } from '@angular/cdk/portal';
import { DOCUMENT, inject, Injector, Service } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import { loadPart } from '../loading/load-part';
import { DialogHistory } from './dialog-history';
import { catchLostFocus } from './lost-focus';
import type { DialogOptions } from './open-dialog';

@Service()
export class Dialogs {
  private readonly document = inject(DOCUMENT);
  private readonly injector = inject(Injector);
  private readonly history = inject(DialogHistory);
  private shown: { close: () => void }[] = [];

  /** Includes dialogs that were opened without this service. */
  get areOpen(): boolean {
    return this.document.querySelector('cdk-dialog-container') !== null;
  }

  /** @returns the result of the dialog; undefined if it was dismissed */
  async open<TResult>(
    load: () => Promise<ComponentType<unknown>>,
    options: DialogOptions<TResult>,
  ): Promise<TResult | undefined> {
    const [component, { openDialog }] = await loadPart(() => Promise.all([load(), import('./open-dialog')]));
    await this.history.leave();
    const open: DialogRef<TResult> = openDialog(this.injector, component, options);
    this.shown.push(open);
    const closed = firstValueFrom(open.closed, { defaultValue: undefined }).finally(() => {
      this.shown = this.shown.filter((other) => other !== open);
    });
    const [result] = await Promise.all([closed, this.history.follow(open)]);
    catchLostFocus();
    return result;
  }

  closeAll(): void {
    for (const dialog of [...this.shown].reverse()) dialog.close();
  }
}
