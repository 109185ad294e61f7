import { afterNextRender, DestroyRef, Directive, ElementRef, inject } from '@angular/core';

/** Makes its element as high as the window has room below it, whatever stands above: banners come and go. */
@Directive({ selector: '[swFillWindow]' })
export class FillWindow {
  private readonly element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;

  constructor() {
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      // With the next frame: what is observed must not change while it is told.
      const fit = (): number => requestAnimationFrame(() => this.fit());
      const observer = new ResizeObserver(fit);
      for (let above = this.element.parentElement; above; above = above.parentElement) {
        // What comes above only later, a banner, makes its parent higher.
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
