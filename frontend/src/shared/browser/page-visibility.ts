import { DOCUMENT, inject, Service, signal } from '@angular/core';

/** Whether the tab is visible: a hidden tab sends no requests. */
@Service()
export class PageVisibility {
  private readonly document = inject(DOCUMENT);
  private readonly shown = signal(!this.document.hidden);
  readonly visible = this.shown.asReadonly();

  constructor() {
    this.document.addEventListener('visibilitychange', () => this.shown.set(!this.document.hidden));
  }
}
