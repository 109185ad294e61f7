import { afterNextRender, DestroyRef, Directive, ElementRef, inject } from '@angular/core';

/** Sizes the element to the remaining window height, also when banners above it change. */
@Directive({ selector: '[swFillWindow]' })
export class FillWindow {
  private readonly element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;

  constructor() {
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      // In the next frame: resizing inside a ResizeObserver callback causes errors.
      const fit = (): number => requestAnimationFrame(() => this.fit());
      const observer = new ResizeObserver(fit);
      for (let above = this.element.parentElement; above; above = above.parentElement) {
        // A banner added later resizes its parent.
        observer.observe(above);
        for (const sibling of above.children) if (!sibling.contains(this.element)) observer.observe(sibling);
      }
      window.addEventListener('resize', fit);
      destroyed.onDestroy(() => {
        observer.disconnect();
        window.removeEventListener('resize', fit);
      });
      this.fit();
    });
  }

  private fit(): void {
    const top = Math.max(0, Math.round(this.element.getBoundingClientRect().top + scrollY));
    this.element.style.setProperty('--above', `${top}px`);
  }
}
