import { Dialog, type DialogConfig, type DialogRef } from '@angular/cdk/dialog';
import { createGlobalPositionStrategy } from '@angular/cdk/overlay';
import type { ComponentType } from '@angular/cdk/portal';
import type { Injector } from '@angular/core';

export interface DialogOptions<TResult> extends DialogConfig<unknown, DialogRef<TResult>> {
  /** Whether it is a question: a smaller dialog, whose text `question-text` is read aloud, too. */
  asks?: boolean;
  /** CSS distance from the top of the window. Such a dialog does not move while its height changes. */
  top?: string;
}

const ASKING = {
  role: 'alertdialog',
  ariaLabelledBy: 'question-title',
  ariaDescribedBy: 'question-text',
  width: '520px',
  panelClass: 'dialog-pane',
} as const;

/**
 * Opens a dialog in the look of the product: its title has the id `dialog-title`, or `question-title` if it asks, and the
 * element with the attribute `data-first` gets the focus. In a file of its own: the first page needs no dialogs.
 */
export function openDialog<TResult>(
  injector: Injector,
  component: ComponentType<unknown>,
  { top, asks = false, ...config }: DialogOptions<TResult>,
): DialogRef<TResult> {
  return injector.get(Dialog).open<TResult>(component, {
    ariaLabelledBy: config.ariaLabel ? null : 'dialog-title',
    autoFocus: '[data-first]',
    panelClass: ['dialog-pane', 'fills-phone'],
    backdropClass: 'veil',
    ...(asks && ASKING),
    ...(top !== undefined && {
      positionStrategy: createGlobalPositionStrategy(injector).top(top).centerHorizontally(),
    }),
    ...config,
  });
}
