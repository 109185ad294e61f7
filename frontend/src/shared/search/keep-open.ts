import { CdkMenuItemCheckbox } from '@angular/cdk/menu';
import { Directive, ElementRef, inject } from '@angular/core';

/** Keeps a menu open when a checkbox in it is clicked, so that several can be. The space bar does already. */
@Directive({ selector: '[swKeepOpen]' })
export class KeepOpen {
  constructor() {
    const item = inject(CdkMenuItemCheckbox);
    const { nativeElement } = inject<ElementRef<HTMLElement>>(ElementRef);
    // Before the listener of the item, which closes the menu.
    nativeElement.addEventListener(
      'click',
      (event) => {
        event.stopImmediatePropagation();
        item.trigger({ keepOpen: true });
      },
      { capture: true },
    );
  }
}
