import { Dialog, type DialogConfig, type DialogRef } from '@angular/cdk/dialog';
import { createGlobalPositionStrategy } from '@angular/cdk/overlay';
import type { ComponentType } from '@angular/cdk/portal';
import type { Injector } from '@angular/core';

export interface DialogOptions<TResult> extends DialogConfig<unknown, DialogRef<TResult>> {
  /** CSS distance from the top of the window. Such a dialog does not move while its height changes. */
  top?: string;
}

/** Opens a dialog in the look of the product. In a file of its own: the first page needs no dialogs. */
export function openDialog<TResult>(
  injector: Injector,
  component: ComponentType<unknown>,
  { top, ...config }: DialogOptions<TResult>,
): DialogRef<TResult> {
  return injector.get(Dialog).open<TResult>(component, {
    panelClass: ['dialog-pane', 'fills-phone'],
    backdropClass: 'veil',
    ...(top !== undefined && {
      positionStrategy: createGlobalPositionStrategy(injector).top(top).centerHorizontally(),
    }),
    ...config,
  });
}
