import { DOCUMENT, inject, Service, signal } from '@angular/core';

/** Whether anybody can see this page: a hidden tab asks for nothing. */
@Service()
export class PageVisibility {
  private readonly document = inject(DOCUMENT);
  private readonly shown = signal(!this.document.hidden);
  readonly visible = this.shown.asReadonly();

  constructor() {
    this.document.addEventListener('visibilitychange', () => this.shown.set(!this.document.hidden));
  }
}
